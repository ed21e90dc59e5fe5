#include "pgn/decoding_source.hpp"

#include <algorithm>
#include <utility>

#include "pgn/archive_errors.hpp"
#include "pgn/hole.hpp"

namespace fendex::pgn {

namespace {

/// The most zeros that a frame can end with: those of its checksum, of its length and of the last
/// bits of its text.
constexpr std::size_t kZerosOfFrame = 16;
/// The most text that these zeros can complete: one block of zstd, or sixteen bytes of deflate.
constexpr std::size_t kTextOfZeros = std::size_t{256} << 10;

}  // namespace

InputBuffer::InputBuffer(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(kBufferSize) {}

void InputBuffer::consume(std::size_t count) {
    begin_ += count;
    data_end_ = std::max(data_end_, begin_);
    offset_ += count;
}

std::span<char> InputBuffer::peek(std::size_t count) {
    while (data_end_ - begin_ < count && !is_at_gap()) {
        if (begin_ != 0) {
            std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
                      buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
            data_end_ -= begin_;
            end_ -= begin_;
            begin_ = 0;
        }
        const std::size_t more = read_more();
        if (more == 0) break;
        end_ += more;
        look_for_zeros();
    }
    return unread();
}

std::size_t InputBuffer::read_more() {
    try {
        return source_->read(std::span(buffer_).subspan(end_));
    } catch (const SourceError& error) {
        if (end_ == 0) {
            throw;
        }
        failure_ = error;
        return 0;  // the source throws again once these bytes have been decoded
    }
}

void InputBuffer::throw_if_failed() const {
    if (failure_) throw SourceError(*failure_);
}

std::span<char> InputBuffer::zeros(std::size_t count) {
    return std::span(buffer_).subspan(data_end_, std::min(count, end_ - data_end_));
}

void InputBuffer::stop_at_gaps() {
    stops_at_gaps_ = true;
    hole_.reset();
    look_for_zeros();
}

void InputBuffer::pass_gaps() {
    stops_at_gaps_ = false;
    look_for_zeros();
}

/// Finds the end of the data, and the first hole in it.
void InputBuffer::look_for_zeros() {
    data_end_ = end_;
    if (!stops_at_gaps_) return;
    std::string_view bytes(buffer_.data() + begin_, end_ - begin_);
    bytes.remove_suffix(bytes.size() - (bytes.find_last_not_of('\0') + 1));
    for (auto hole = find_hole(bytes); hole; hole = find_hole(bytes, hole->end)) {
        if (!hole_) hole_ = offset_ + hole->begin;
        if (hole->end - hole->begin >= kGap) bytes = bytes.substr(0, hole->begin);
    }
    data_end_ = begin_ + bytes.size();
}

DecodingSource::DecodingSource(std::unique_ptr<ByteSource> input, std::string name,
                               std::string format, Checked checked)
    : input_(std::move(input)),
      name_(std::move(name)),
      format_(std::move(format)),
      checked_(checked) {}

std::optional<std::uint64_t> DecodingSource::unchecked_from() const {
    if (text_ != 0 && input_.is_unchecked()) return 0;
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
    if (!end_text_.empty()) return deliver_end(out);
    if (!inside_frame_) {
        input_.stop_at_gaps();
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
            if (!end_with_zeros()) fail_truncated();
            return 0;
        }
    }
    const Step step = decode(in, out);
    input_.consume(step.consumed);
    text_ += step.produced;
    output_pending_ = !step.frame_ended && step.produced == out.size();
    take_end(step);
    return step.produced;
}

/// Passes the zeros of a gap to the decoder. If they complete the frame, they belong to it. If not,
/// the rest of the frame is missing and the decoder's output is not text; then it returns false.
bool DecodingSource::end_with_zeros() {
    std::span<char> zeros = input_.zeros(kZerosOfFrame);
    if (zeros.empty()) return false;
    std::string text(kTextOfZeros, '\0');
    std::size_t size = 0;
    while (true) {
        const Step step = decode(zeros, std::span(text).subspan(size));
        zeros = zeros.subspan(step.consumed);
        size += step.produced;
        const bool stuck = step.consumed == 0 && step.produced == 0;
        if (!step.error.empty() || size == text.size() || (stuck && !step.frame_ended))
            return false;
        if (!step.frame_ended) continue;
        input_.consume(input_.zeros(kZerosOfFrame).size() - zeros.size());
        text.resize(size);
        end_text_ = std::move(text);
        take_end(step);
        return true;
    }
}

/// Handles the end of a frame, or damage in it.
void DecodingSource::take_end(const Step& step) {
    if (!step.error.empty()) return fail_damaged(step.error);
    const std::optional<std::uint64_t> hole = input_.hole();
    if (step.frame_ended && !step.has_checksum && hole) {
        return fail_damaged("zeros from byte " + std::to_string(*hole) + " on, and no checksum");
    }
    inside_frame_ = !step.frame_ended;
}

std::size_t DecodingSource::deliver_end(std::span<char> out) {
    const std::size_t count = end_text_.copy(out.data(), out.size(), end_text_delivered_);
    text_ += count;
    end_text_delivered_ += count;
    if (end_text_delivered_ == end_text_.size()) {
        end_text_.clear();
        end_text_delivered_ = 0;
    }
    return count;
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
        case Ahead::kCutMagic: fail_cut_magic(); return false;
        case Ahead::kEnd:
        case Ahead::kOther: break;
    }
    if (skip_padding()) {
        warning_ = name_ + ": what follows the complete " + format_ + " archive, from byte " +
                   std::to_string(input_.offset()) + " on, is not " + format_ +
                   " data and was ignored";
    }
    return false;
}

bool DecodingSource::skip_padding() {
    // Tapes and some file systems pad with zeros.
    input_.pass_gaps();
    for (std::span<char> unread = input_.peek(1); !unread.empty(); unread = input_.peek(1)) {
        const auto other = std::ranges::find_if(unread, [](char c) { return c != 0; });
        input_.consume(static_cast<std::size_t>(other - unread.begin()));
        if (other != unread.end()) return true;
    }
    return false;
}

void DecodingSource::fail(const std::string& what_and_advice) {
    failure_.emplace(name_ + ": " + what_and_advice, input_.offset());
}

void DecodingSource::fail_damaged(const std::string& what) {
    failure_ =
        damaged_archive(name_, format_, format_ + " -t", input_.offset(), what, unchecked_from());
}

void DecodingSource::fail_cut_magic() {
    input_.consume(input_.unread().size());
    fail_truncated();
}

void DecodingSource::fail_truncated() {
    input_.throw_if_failed();
    const std::optional<std::uint64_t> hole = input_.hole();
    const std::optional<std::uint64_t> wrong_from = hole ? unchecked_from() : std::nullopt;
    const bool zeros_follow = input_.zeros(kMinHole).size() == kMinHole;
    failure_ = cut_off_archive(name_, format_, input_.offset(), zeros_follow, hole, wrong_from);
}

}  // namespace fendex::pgn
