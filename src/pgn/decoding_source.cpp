#include "pgn/decoding_source.hpp"

#include <algorithm>
#include <utility>

namespace fendex::pgn {

InputBuffer::InputBuffer(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(kBufferSize) {}

void InputBuffer::consume(std::size_t count) {
    begin_ += count;
    offset_ += count;
}

std::span<char> InputBuffer::peek(std::size_t count) {
    if (end_ - begin_ < count) {
        std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
        end_ -= begin_;
        begin_ = 0;
        while (end_ < count) {
            const std::size_t more = read_more();
            if (more == 0) {
                break;
            }
            end_ += more;
        }
    }
    return unread();
}

std::size_t InputBuffer::read_more() {
    try {
        return source_->read(std::span(buffer_).subspan(end_));
    } catch (const SourceError&) {
        if (end_ == 0) {
            throw;
        }
        return 0;  // the source throws again once these bytes have been decoded
    }
}

DecodingSource::DecodingSource(std::unique_ptr<ByteSource> input, std::string name,
                               std::string format, Checked checked)
    : input_(std::move(input)),
      name_(std::move(name)),
      format_(std::move(format)),
      checked_(checked) {}

std::optional<std::uint64_t> DecodingSource::unchecked_from() const {
    if (checked_ == Checked::kBefore || !inside_frame_ || frame_text_ == text_) return std::nullopt;
    return frame_text_;
}

std::size_t DecodingSource::read(std::span<char> out) {
    std::size_t filled = 0;
    while (filled < out.size() && !ended_ && !failure_) {
        try {
            filled += advance(out.subspan(filled));
        } catch (const SourceError& error) {
            // Reading the compressed bytes failed, before anything was decoded in this step.
            failure_ = error;
        }
    }
    if (filled == 0 && failure_) {
        throw SourceError(*failure_);
    }
    return filled;
}

std::size_t DecodingSource::advance(std::span<char> out) {
    if (!inside_frame_) {
        if (!begin_frame()) {
            ended_ = !failure_;
            return 0;
        }
        inside_frame_ = true;
        frame_text_ = text_;
    }
    std::span<char> in = input_.unread();
    if (in.empty() && !output_pending_) {
        in = input_.peek(1);
        if (in.empty()) {
            fail_truncated();
            return 0;
        }
    }
    const Step step = decode(in, out);
    input_.consume(step.consumed);
    text_ += step.produced;
    inside_frame_ = !step.frame_ended;
    output_pending_ = !step.frame_ended && step.produced == out.size();
    if (!step.error.empty()) {
        fail_damaged(step.error);
    }
    return step.produced;
}

DecodingSource::Ahead DecodingSource::look_ahead(std::string_view magic) {
    const std::span<char> unread = input_.peek(magic.size());
    const std::string_view head(unread.data(), std::min(unread.size(), magic.size()));
    if (head.empty()) {
        return Ahead::kEnd;
    }
    if (head == magic) {
        return Ahead::kMagic;
    }
    return magic.starts_with(head) ? Ahead::kCutMagic : Ahead::kOther;
}

bool DecodingSource::frame_or_padding(std::string_view magic) {
    switch (look_ahead(magic)) {
        case Ahead::kMagic: return true;
        case Ahead::kEnd: return false;
        case Ahead::kCutMagic: fail_cut_magic(); return false;
        case Ahead::kOther: break;
    }
    // Tapes and some file systems pad with zeros.
    for (std::span<char> unread = input_.unread(); !unread.empty(); unread = input_.peek(1)) {
        const auto other =
            std::find_if(unread.begin(), unread.end(), [](char c) { return c != 0; });
        input_.consume(static_cast<std::size_t>(other - unread.begin()));
        if (other != unread.end()) {
            warning_ = name_ + ": what follows the complete " + format_ + " archive, from byte " +
                       std::to_string(input_.offset()) + " on, is not " + format_ +
                       " data and was ignored";
            break;
        }
    }
    return false;
}

void DecodingSource::fail(const std::string& what_and_advice) {
    failure_.emplace(name_ + ": " + what_and_advice, input_.offset());
}

void DecodingSource::fail_damaged(const std::string& what) {
    const std::optional<std::uint64_t> wrong_from = unchecked_from();
    failure_.emplace(name_ + ": damaged " + format_ + " data near byte " +
                         std::to_string(input_.offset()) + " (" + what + "); " +
                         (wrong_from ? "" : "everything before it was read; ") +
                         "test the file with '" + format_ + " -t' and fetch it again",
                     input_.offset(), wrong_from);
}

void DecodingSource::fail_cut_magic() {
    input_.consume(input_.unread().size());
    input_.peek(1);  // throws if this is not the end of the input but a read error
    fail_truncated();
}

void DecodingSource::fail_truncated() {
    fail("the " + format_ + " archive is cut off at byte " + std::to_string(input_.offset()) +
         "; everything before it was read; fetch the file again, the transfer was incomplete");
}

}  // namespace fendex::pgn
