#include "pgn/line_splitter.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace fendex::pgn {

namespace {

/// Faster than std::count(), because lines are long.
std::uint64_t count_line_feeds(std::string_view text) {
    std::uint64_t count = 0;
    for (std::size_t at = text.find('\n'); at != std::string_view::npos;
         at = text.find('\n', at + 1)) {
        ++count;
    }
    return count;
}

}  // namespace

LineSplitter::LineSplitter(ByteSource& source, LineSplitterOptions options, TextBefore before)
    : source_(source),
      options_(options),
      offset_(before.checkpoint.byte),
      line_(before.checkpoint.line),
      digest_(std::move(before.digest)),
      checkpoint_(std::move(before.checkpoint)),
      next_mark_(next_mark(before.last_mark)) {
    if (checkpoint_.digest.empty()) checkpoint_.digest = digest_.hex();
}

bool LineSplitter::next(Batch& out) {
    while (true) {
        if (skips_) skip_line();
        if (!skips_) {
            const std::size_t last = std::string_view(buffer_).substr(searched_).rfind('\n');
            if (last != std::string_view::npos) lines_ = searched_ + last + 1;
            searched_ = buffer_.size();
            if (lines_ != 0 && (eof_ || buffer_.size() >= options_.batch_bytes)) {
                cut(out, lines_, false);
                return true;
            }
            if (lines_ == 0 && buffer_.size() > options_.max_line_bytes) {
                cut(out, buffer_.size(), true);
                skips_ = true;
                return true;
            }
            if (eof_ && !buffer_.empty()) {
                cut(out, buffer_.size(), failure_ != nullptr);
                return true;
            }
        }
        if (eof_) break;
        eof_ = !read_more(source_, options_.read_bytes, buffer_, failure_);
    }
    if (failure_) std::rethrow_exception(failure_);
    return false;
}

/// Drops the rest of a line that is too long, as far as it has been read.
void LineSplitter::skip_line() {
    const std::size_t end = buffer_.find('\n');
    skips_ = end == std::string::npos;
    drop(skips_ ? buffer_.size() : end + 1);
    if (skips_) return;
    ++line_;
    checkpoint_ = {offset_, line_, digest_.hex()};
}

void LineSplitter::cut(Batch& out, std::size_t end, bool truncated) {
    const std::optional<std::uint64_t> unchecked = source_.unchecked_from();
    out.checked = !unchecked || offset_ + end <= *unchecked;
    if (!out.checked && *unchecked > offset_) {
        // The lines that have passed the checksums of the source come first.
        const std::size_t last =
            std::string_view(buffer_).substr(0, *unchecked - offset_).rfind('\n');
        if (last != std::string_view::npos && last < end) {
            end = last + 1;
            truncated = false;
            out.checked = true;
        }
    }
    out.text.assign(buffer_, 0, end);
    out.extents.clear();
    if (truncated) out.extents.push_back({0, end, Extent::Kind::kJunk, true});
    out.stream_offset = offset_;
    out.first_line = line_;
    out.compressed_offset = source_.compressed_offset();
    line_ += count_line_feeds(out.text);
    drop(end);
    if (out.text.ends_with('\n')) {
        checkpoint_ = {offset_, line_, digest_.hex()};
        if (offset_ >= next_mark_) {
            marks_.push_back(checkpoint_);
            next_mark_ = next_mark(offset_);
        }
    }
    out.checkpoint = checkpoint_;
    out.marks = std::exchange(marks_, {});
}

/// Drops the text before `end`, after it has been added to the digest.
void LineSplitter::drop(std::size_t end) {
    std::string_view text = std::string_view(buffer_).substr(0, end);
    if (offset_ < kHeadBytes && offset_ + end >= kHeadBytes) {
        const std::size_t head = kHeadBytes - offset_;
        digest_.add(text.substr(0, head));
        text.remove_prefix(head);
        marks_.push_back({kHeadBytes, 0, digest_.hex()});
    }
    digest_.add(text);
    buffer_.erase(0, end);
    offset_ += end;
    lines_ -= std::min(lines_, end);
    searched_ -= std::min(searched_, end);
}

}  // namespace fendex::pgn
