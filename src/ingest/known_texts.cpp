#include "ingest/known_texts.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "pgn/lexer.hpp"
#include "store/source_prefixes.hpp"

namespace fendex::ingest {

namespace {

constexpr std::size_t kSkipAtOnce = std::size_t{256} << 10;
constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

bool is_blank_text(std::string_view text) { return std::ranges::all_of(text, pgn::is_space); }

}  // namespace

void KnownTexts::add(std::size_t index, const store::StoredSource& source) {
    const store::SourceProgress& progress = source.progress;
    if (progress.bytes == 0 || progress.is_in_database()) return;
    Source known{source.file.path, progress.resume.byte, progress.complete, {}};
    for (pgn::Mark& mark : store::marks_of(progress.prefixes)) {
        if (mark.byte < progress.resume.byte) known.points.push_back({std::move(mark), false});
    }
    const bool resume_is_end = progress.resume.byte == progress.bytes;
    if (progress.resume.byte != 0) known.points.push_back({progress.resume, resume_is_end});
    if (!resume_is_end) known.points.push_back({{progress.bytes, 0, progress.digest}, true});
    const pgn::Mark& first = known.points.front().mark;
    first_points_[first.byte].emplace(first.digest, index);
    sources_.insert_or_assign(index, std::move(known));
}

/// The state while one text is being recognised.
class KnownTexts::Reading {
  public:
    Reading(const KnownTexts& known, pgn::ByteSource& text, bool can_be_read_twice,
            const std::function<bool()>& stop)
        : known_(known),
          text_(text),
          can_be_read_twice_(can_be_read_twice),
          stop_(stop),
          first_(known.first_points_.begin()),
          buffer_(kSkipAtOnce) {
        out_.before.checkpoint.digest = digest_.hex();
    }

    KnownPart run(const std::string& path) {
        while (true) {
            const std::uint64_t next = next_point();
            if (next == kNowhere ||
                (!can_be_read_twice_ && next - out_.before.checkpoint.byte > kMaxHeld) ||
                !read_to(next)) {
                break;
            }
            compare();
        }
        // Reads on to see whether there is more after the end of a source.
        if (!ended_ && !failure_ && end_byte_ == position_ && position_ != 0) {
            read_to(position_ + 1);
        }
        choose(path);
        if (!out_.whole && (ended_ || failure_)) {
            for (const Candidate& each : candidates_) out_.inside.push_back(each.index);
        }
        return std::move(out_);
    }

  private:
    /// A source whose text is the same so far.
    struct Candidate {
        std::size_t index = 0;
        const Source* source = nullptr;
        std::size_t next = 0;  // index in its points
    };

    std::uint64_t next_point() const {
        std::uint64_t next = first_ == known_.first_points_.end() ? kNowhere : first_->first;
        for (const Candidate& each : candidates_) {
            next = std::min(next, each.source->points[each.next].mark.byte);
        }
        return next;
    }

    /// Reads up to `byte`. Returns false if the text ends before, or reading fails or is stopped.
    bool read_to(std::uint64_t byte) {
        while (position_ < byte) {
            if (stop_ && stop_()) return false;
            const std::size_t wanted = std::min<std::uint64_t>(buffer_.size(), byte - position_);
            std::size_t count = 0;
            try {
                count = text_.read(std::span(buffer_).first(wanted));
            } catch (const pgn::SourceError& error) {
                failure_ = error;
                return false;
            }
            if (count == 0) {
                ended_ = true;
                return false;
            }
            const std::string_view read(buffer_.data(), count);
            digest_.add(read);
            last_bytes_ += read.substr(count - std::min(count, pgn::TextBefore::kLastBytes));
            last_bytes_.erase(
                0, last_bytes_.size() - std::min(last_bytes_.size(), pgn::TextBefore::kLastBytes));
            is_blank_ = is_blank_ && is_blank_text(read);
            position_ += count;
            out_.read_too_far = position_ - out_.before.checkpoint.byte > kMaxHeld;
            if (out_.read_too_far) {
                out_.ahead.clear();
            } else {
                out_.ahead += read;
            }
        }
        return true;
    }

    /// Keeps the sources whose text is the same up to here.
    void compare() {
        const std::string digest = digest_.hex();
        std::vector<Candidate> before = std::exchange(candidates_, {});
        if (first_ != known_.first_points_.end() && first_->first == position_) {
            const auto [begin, end] = first_->second.equal_range(digest);
            for (auto each = begin; each != end; ++each) {
                const auto source = known_.sources_.find(each->second);
                if (source != known_.sources_.end()) {
                    before.push_back({source->first, &source->second, 0});
                }
            }
            ++first_;
        }
        bool at_checkpoint = false;
        for (Candidate& each : before) {
            const Point& point = each.source->points[each.next];
            if (point.mark.byte == position_) {
                if (point.mark.digest != digest) continue;
                if (point.mark.line != 0) {
                    if (!std::exchange(at_checkpoint, true)) here_.clear();
                    here_.push_back(each);
                    out_.before.checkpoint = point.mark;
                }
                if (point.end) {
                    if (std::exchange(end_byte_, position_) != position_) ends_.clear();
                    ends_.push_back(each);
                }
                if (++each.next == each.source->points.size()) continue;
            }
            candidates_.push_back(each);
        }
        if (!at_checkpoint) return;
        out_.before.digest = base::Digest(digest_);
        out_.before.last_bytes = last_bytes_;
        out_.ahead.clear();
        out_.read_too_far = false;
        is_blank_ = true;
    }

    void choose(const std::string& path) {
        const bool at_end = !ends_.empty() && end_byte_ == position_;
        if (failure_ && at_end) out_.same_damage = failure_;
        const std::uint64_t byte = out_.before.checkpoint.byte;
        // Of equal candidates the later row wins, because it may continue where the earlier one
        // ends.
        const auto best_of = [](const std::vector<Candidate>& candidates, auto rank) {
            return std::ranges::max_element(
                candidates,
                [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
        };
        if (!ends_.empty()) {
            const auto end = best_of(ends_, [&](const Candidate& each) {
                return std::tuple(each.source->complete, each.source->path == path, each.index);
            });
            out_.whole = ended_ && at_end && end->source->complete;
            if (out_.whole || end->source->resume_byte == 0) out_.source = end->index;
            if (out_.whole) return;
        }
        if (here_.empty()) return;
        const auto here = best_of(here_, [&](const Candidate& each) {
            return std::tuple(each.source->resume_byte == byte, each.source->path == path,
                              each.index);
        });
        out_.source = here->index;
        const bool interrupted = here->source->resume_byte == byte && !here->source->complete;
        out_.whole = ended_ && is_blank_ && !interrupted;
    }

    const KnownTexts& known_;
    pgn::ByteSource& text_;
    const bool can_be_read_twice_;
    const std::function<bool()>& stop_;
    decltype(first_points_)::const_iterator first_;
    std::vector<char> buffer_;
    std::vector<Candidate> candidates_;
    std::vector<Candidate> here_;  // sources that have the last checkpoint
    std::vector<Candidate> ends_;  // the longest sources that the text contains completely
    std::uint64_t end_byte_ = 0;
    std::uint64_t position_ = 0;
    base::Digest digest_;
    std::string last_bytes_;
    bool is_blank_ = true;  // true if only blanks came since the last checkpoint
    bool ended_ = false;
    std::optional<pgn::SourceError> failure_;
    KnownPart out_;
};

KnownPart KnownTexts::recognise(pgn::ByteSource& text, const std::string& path,
                                bool can_be_read_twice, const std::function<bool()>& stop) const {
    return Reading(*this, text, can_be_read_twice, stop).run(path);
}

std::uint64_t skip_text(pgn::ByteSource& text, std::uint64_t bytes,
                        const std::function<bool()>& stop) {
    std::vector<char> buffer(kSkipAtOnce);
    std::uint64_t skipped = 0;
    while (skipped < bytes && !(stop && stop())) {
        const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), bytes - skipped);
        const std::size_t count = text.read(std::span(buffer).first(wanted));
        if (count == 0) break;
        skipped += count;
    }
    return skipped;
}

}  // namespace fendex::ingest
