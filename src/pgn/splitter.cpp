#include "pgn/splitter.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "pgn/byte_block.hpp"
#include "pgn/symbols.hpp"

namespace fendex::pgn {

namespace {

constexpr std::size_t kMaxJunkBytes = 4096;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A copy of kWordEnd: position-independent code reaches it without an extra load for each word.
constexpr auto kEndsWord = kWordEnd;
bool ends_word(char c) { return kEndsWord[static_cast<unsigned char>(c)]; }

/// Characters at which skip_moves() stops because no move or number begins there: those that end a
/// word, except NAGs, and those that begin %, +--, --+ and ½.
constexpr auto kNoMove = [] {
    std::array<bool, 256> table = kWordEnd;
    table['$'] = false;
    for (const char c : {'%', '+', '-', '\x96', '\x97', '\xBD'}) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}();

/// Returns whether skip_moves() stops at the word that begins at `p`.
bool ends_moves(const char* p, const char* stop) {
    if (kNoMove[static_cast<unsigned char>(*p)]) return true;
    // A result, unless it is a number.
    return (*p == '0' || *p == '1') && (p + 1 == stop || (p[1] != '.' && !is_digit(p[1])));
}

/// Returns how many bytes from `p` on, up to sixteen, skip_moves() certainly passes. It may pass
/// more. Also reads the byte before and the byte after these sixteen.
std::ptrdiff_t count_plain(const char* p) {
    const ByteBlock c = load_block(p);
    const ByteBlock after = load_block(p + 1);
    const BlockMatches number = (after == '.') | within(after, '0', '9');
    const BlockMatches at_start = (within(c, '0', '1') & ~number) | within(c, '+', '-');
    const BlockMatches special = within(c, '{', 0xFF) | within(c, '(', '*') | within(c, '[', ']') |
                                 (c == '%') | (within(c, ';', '>') & (c != '='));
    return first_of(special | (within(load_block(p - 1), 0, ' ') & at_start));
}

/// Skips moves, numbers and blanks after the blank at `p`; returns the last byte skipped, which may
/// be within a word.
const char* skip_plain_moves(const char* p, const char* stop) {
    ++p;
    while (stop - p > kBlockBytes) {
        const std::ptrdiff_t plain = count_plain(p);
        p += plain;
        if (plain != kBlockBytes) break;
    }
    return p - 1;
}

}  // namespace

std::size_t Batch::games() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        extents, [](const Extent& e) { return e.kind == Extent::Kind::kGame; }));
}

Splitter::Splitter(ByteSource& source, SplitterOptions options)
    : source_(source), options_(options) {
    checkpoint_.digest = digest_.hex();
}

Splitter::Splitter(ByteSource& source, SplitterOptions options, TextBefore before)
    : source_(source),
      options_(options),
      buffer_(std::move(before.last_bytes)),
      pos_(buffer_.size()),
      boundary_(buffer_.size()),
      digested_(buffer_.size()),
      stream_offset_(before.checkpoint.byte - buffer_.size()),
      line_(before.checkpoint.line - count_lines(buffer_, buffer_.size())),
      digest_(std::move(before.digest)),
      checkpoint_(std::move(before.checkpoint)),
      next_mark_(next_mark(before.last_mark)) {
    if (checkpoint_.byte == 0) return;
    newlines_ = 0;  // the same value as after end_game()
}

bool Splitter::fill() {
    if (eof_) return false;
    eof_ = !read_more(source_, options_.read_bytes, buffer_, failure_);
    return true;
}

/// Returns whether it is time to cut a batch.
bool Splitter::is_full() const {
    return !extents_.empty() &&
           (boundary_ >= options_.batch_bytes || extents_.size() >= options_.batch_games);
}

bool Splitter::next(Batch& out) {
    while (true) {
        if (is_full()) {
            cut(out);
            return true;
        }
        if (scanned_ && !fill()) break;
        scan();
        limit_item();
        if (eof_ && scanned_) {
            end_junk();
            if (in_game()) {
                // If a damaged archive ends here, the last word may be half a move.
                if (item_start_) add_extent(Extent::Kind::kGame, failure_ != nullptr);
                item_ = Between{};
                inside_ = Inside::kNothing;
            }
            boundary_ = buffer_.size();
        }
    }
    if (!extents_.empty()) {
        cut(out);
        return true;
    }
    pass(boundary_);
    if (failure_) std::rethrow_exception(failure_);
    return false;
}

void Splitter::cut(Batch& out) {
    const std::optional<std::uint64_t> unchecked = source_.unchecked_from();
    const std::size_t checked = unchecked ? checked_extents(*unchecked) : 0;
    const std::size_t count = checked != 0 ? checked : extents_.size();
    const auto rest = extents_.begin() + static_cast<std::ptrdiff_t>(count);
    out.extents.assign(extents_.begin(), rest);
    extents_.erase(extents_.begin(), rest);
    const std::size_t end =
        checked != 0 ? out.extents.back().offset + out.extents.back().size : boundary_;
    out.text.assign(buffer_, 0, end);
    out.stream_offset = stream_offset_;
    out.first_line = line_;
    out.compressed_offset = source_.compressed_offset();
    out.checked = !unchecked || checked != 0;
    add_marks(out.extents);
    if (checked != 0) {
        add_checkpoint(end);
        if (game_end_ == end) game_end_.reset();
    } else {
        pass(end);
    }
    out.checkpoint = checkpoint_;
    out.marks = std::exchange(marks_, {});
    drop(end);
}

/// Returns the number of extents whose ends were decided by checked text.
std::size_t Splitter::checked_extents(std::uint64_t unchecked) const {
    std::size_t count = extents_.size();
    for (; count != 0; --count) {
        const Extent& last = extents_[count - 1];
        if (last.kind == Extent::Kind::kGame && !last.truncated &&
            stream_offset_ + last.offset + last.size + kLookahead <= unchecked) {
            break;
        }
    }
    return count;
}

void Splitter::add_marks(const std::vector<Extent>& extents) {
    for (const Extent& extent : extents) {
        const std::size_t end = extent.offset + extent.size;
        if (stream_offset_ + end < next_mark_ || extent.kind != Extent::Kind::kGame ||
            extent.truncated || game_end_.value_or(0) < end) {
            continue;
        }
        add_checkpoint(end);
        marks_.push_back(checkpoint_);
        next_mark_ = next_mark(checkpoint_.byte);
    }
}

/// Returns the number of line ends before `end`. It continues from the last place counted. A CR
/// there is counted again, because an LF may have followed since.
std::uint64_t Splitter::lines_before(std::size_t end) {
    const std::string_view text = buffer_;
    if (end < counted_) counted_ = lines_counted_ = 0;
    const std::size_t known = end != 0 && text[end - 1] == '\r' ? end - 1 : end;
    if (known > counted_) {
        lines_counted_ += count_lines(text.substr(counted_), known - counted_);
        counted_ = known;
    }
    return lines_counted_ + count_lines(text.substr(counted_), end - counted_);
}

/// Records a checkpoint at `end`, the end of a game.
void Splitter::add_checkpoint(std::size_t end) {
    digest_to(end);
    checkpoint_ = {stream_offset_ + end, line_ + lines_before(end), digest_.hex()};
}

void Splitter::digest_to(std::size_t end) {
    const auto add = [&](std::size_t to) {
        digest_.add(std::string_view(buffer_).substr(digested_, to - digested_));
        digested_ = to;
    };
    if (stream_offset_ + digested_ < kHeadBytes && stream_offset_ + end >= kHeadBytes) {
        add(kHeadBytes - stream_offset_);
        marks_.push_back({kHeadBytes, 0, digest_.hex()});
    }
    add(end);
}

/// Adds the text before `end` to the digest, and records a checkpoint at the end of the last game.
void Splitter::pass(std::size_t end) {
    if (game_end_) add_checkpoint(*game_end_);
    game_end_.reset();
    digest_to(end);
}

/// Drops the text before `end`, except the last kLookbehind bytes.
void Splitter::drop(std::size_t end) {
    const std::size_t dropped = end - std::min(end, kLookbehind);
    line_ += lines_before(dropped);
    counted_ = lines_counted_ = 0;
    buffer_.erase(0, dropped);
    stream_offset_ += dropped;
    pos_ -= dropped;
    digested_ -= dropped;
    if (item_start_) *item_start_ -= std::min(*item_start_, dropped);
    boundary_ -= dropped;
    if (game_end_) *game_end_ -= dropped;
    for (Extent& extent : extents_) extent.offset -= dropped;
}

/// Adds the beginning of a game that is too long to the batch; the rest of it is skipped. Text
/// outside games is dropped after it has been scanned.
void Splitter::limit_item() {
    const std::size_t limit = in_game() ? options_.max_game_bytes : kMaxJunkBytes;
    if (item_start_ && pos_ - *item_start_ > limit) {
        add_extent(in_game() ? Extent::Kind::kGame : Extent::Kind::kJunk, true);
        item_start_.reset();
    }
    if (!item_start_) boundary_ = pos_;
    if (extents_.empty() && boundary_ >= options_.batch_bytes) {
        pass(boundary_);
        drop(boundary_);
    }
}

void Splitter::scan() {
    const std::size_t margin = eof_ ? 0 : kLookahead;
    scanned_ = true;
    if (buffer_.size() <= margin) return;
    const char* stop = at(buffer_.size() - margin);
    while (at(pos_) < stop) {
        if (extents_.size() >= options_.batch_games) {
            scanned_ = false;
            return;
        }
        if (inside_ != Inside::kNothing) {
            if (!step_inside(stop)) return;
        } else {
            if (is_in<Moves>()) skip_moves(stop);
            if (at(pos_) < stop && inside_ == Inside::kNothing) step(stop);
        }
    }
}

/// Skips moves, numbers and blanks, which are most of a text, and stops at anything that could be
/// something else.
void Splitter::skip_moves(const char* stop) {
    const char* p = at(pos_);
    for (; p < stop; ++p) {
        if (is_space(*p)) {
            p = skip_plain_moves(p, stop);
            if (is_space(*p)) continue;
        } else if (ends_moves(p, stop)) {
            break;
        }
        while (p + 1 < stop && !ends_word(p[1])) ++p;
        if (p + 1 == stop) inside_ = Inside::kWord;
    }
    pos_ = static_cast<std::size_t>(p - buffer_.data());
}

/// Continues a token that was not finished; returns false if it reached `stop` before the token's
/// end.
bool Splitter::step_inside(const char* stop) {
    const char* end = at(buffer_.size());
    const char* p = at(pos_);
    bool done = false;
    switch (inside_) {
        case Inside::kComment:
            done = comment_scan_.scan(p, stop, end) != CommentScan::End::kMore;
            break;
        case Inside::kTagValue:
            switch (tag_scan_.scan(p, stop, end)) {
                case TagScan::End::kMore: break;
                case TagScan::End::kUnclosed: done = true; break;
                case TagScan::End::kClosed:
                    ++p;
                    while (p < end && *p != ']') ++p;
                    if (p < end) ++p;
                    done = true;
                    break;
            }
            newlines_ = 0;
            break;
        case Inside::kBrokenTag:
            p = std::find_if(p, stop, [](char c) { return c == ']' || is_newline(c); });
            done = p < stop;
            if (done && *p == ']') ++p;
            newlines_ = 0;
            break;
        case Inside::kLineComment:
            p = std::find_if(p, stop, is_newline);
            done = p < stop;
            break;
        case Inside::kJunkWord:
            p = std::find_if(p, stop, is_space);
            done = p < stop;
            break;
        case Inside::kWord:
            while (p < stop && !ends_word(*p)) ++p;
            done = p < stop;
            break;
        case Inside::kNothing: break;
    }
    pos_ = static_cast<std::size_t>(p - buffer_.data());
    if (done) inside_ = Inside::kNothing;
    return done;
}

bool Splitter::at_line_start() const {
    const std::string_view before = std::string_view(buffer_).substr(0, pos_);
    return before.empty() || is_newline(before.back()) || before.ends_with(kByteOrderMark);
}

std::optional<std::uint64_t> Splitter::unclosed_comment() const {
    if (!eof_ || in_game() || inside_ != Inside::kComment) return std::nullopt;
    return outside_comment_;
}

void Splitter::step(const char* stop) {
    const char* p = at(pos_);
    const char c = *p;
    if (is_space(c)) {
        if (c == '\n' || (c == '\r' && (p + 1 == at(buffer_.size()) || p[1] != '\n'))) ++newlines_;
        ++pos_;
    } else if (const std::size_t n =
                   is_wide_lead(c) ? match_wide_blank_within(buffer_.data(), p, at(buffer_.size()))
                                   : 0;
               n != 0) {
        pos_ += n;
    } else if (c == ';' || (c == '%' && at_line_start())) {
        inside_ = Inside::kLineComment;
        ++pos_;
    } else if (c == '{') {
        if (is_in<Tags>()) item_ = Moves{};
        if (!in_game()) outside_comment_ = stream_offset_ + pos_;
        inside_ = Inside::kComment;
        comment_scan_ = {};
        ++pos_;
    } else if (c == '[') {
        step_bracket();
    } else if (const std::size_t m = c == '<' ? match_markup(p, at(buffer_.size())) : 0; m != 0) {
        pos_ += m;
    } else if (!in_game()) {
        step_outside();
    } else if (is_in<Tags>() && c == ']') {  // "]]"
        ++pos_;
    } else {
        if (is_in<Tags>()) item_ = Moves{};
        step_moves(stop);
    }
}

void Splitter::step_bracket() {
    const TagOpening tag = match_tag(at(pos_), at(buffer_.size()));
    if (tag.name.empty()) {
        if (is_in<Tags>()) {
            inside_ = Inside::kBrokenTag;
        } else if (!in_game()) {
            begin_junk();
            inside_ = Inside::kJunkWord;
        }
        ++pos_;
        return;
    }
    const bool event = tag.name == "Event";
    const Tags* tags = std::get_if<Tags>(&item_);
    const bool repeats = tags != nullptr && ((event && tags->has_event) ||
                                             (newlines_ >= 2 && tag.name == tags->first_name));
    if (is_in<Moves>() || repeats) end_game();
    if (!in_game()) begin_game(Tags{std::string(tag.name)});
    std::get<Tags>(item_).has_event |= event;
    inside_ = Inside::kTagValue;
    tag_scan_ = {};
    pos_ = static_cast<std::size_t>(tag.value - buffer_.data());
}

/// Scans text between games. A result, a move or a move number before a move begins a game without
/// tags; anything else is junk.
void Splitter::step_outside() {
    const char* p = at(pos_);
    const char* end = at(buffer_.size());
    if (newlines_ == 0) {
        if (const std::size_t n = match_afterthought(p, end); n != 0) {
            pos_ += n;
            return;
        }
    }
    const bool sign = *p == '+' || *p == '-';  // a line of a table, not a game
    if (const std::size_t n = sign ? 0 : match_result(p, end); n != 0) {
        const char* next = skip_blanks(p + n, end - p > 64 ? std::max(p + n, p + 64) : end);
        if (next == end || is_newline(*next) || *next == '[') {
            begin_game(Moves{});
            pos_ += n;
            end_game();
            return;
        }
    }
    if (begins_movetext(p, end)) {
        begin_game(Moves{});
        return;
    }
    begin_junk();
    inside_ = Inside::kJunkWord;
}

void Splitter::step_moves(const char* stop) {
    const char* p = at(pos_);
    const char* end = at(buffer_.size());
    unsigned& depth = std::get<Moves>(item_).depth;
    switch (*p) {
        case '(':
            if (match_promotion(buffer_.data(), p, end) == 0) ++depth;
            ++pos_;
            return;
        case ')':
            if (depth > 0 && !closes_promotion(buffer_.data(), p, end)) --depth;
            ++pos_;
            return;
        default: break;
    }
    if (const std::size_t n = match_result(p, end); n != 0 && depth == 0) {
        pos_ += n;
        end_game();
        return;
    }
    if (is_wide_lead(*p)) {
        if (const std::size_t n = match_symbol(p, end).size; n != 0) {
            pos_ += n;
            return;
        }
    }
    ++pos_;
    inside_ = Inside::kWord;
    step_inside(stop);
}

void Splitter::begin_game(Item item) {
    end_junk();
    item_ = std::move(item);
    item_start_ = pos_;
}

void Splitter::end_game() {
    end_item(Extent::Kind::kGame);
    game_end_ = pos_;
    newlines_ = 0;
}

void Splitter::begin_junk() {
    if (is_in<Junk>()) return;
    item_ = Junk{};
    item_start_ = pos_;
}

void Splitter::end_junk() {
    if (is_in<Junk>()) end_item(Extent::Kind::kJunk);
}

void Splitter::end_item(Extent::Kind kind) {
    if (item_start_) add_extent(kind, false);
    item_ = Between{};
    item_start_.reset();
    boundary_ = pos_;
}

/// Adds the current item, up to here, to the batch.
void Splitter::add_extent(Extent::Kind kind, bool truncated) {
    const std::size_t limit = kind == Extent::Kind::kGame ? options_.max_game_bytes : kMaxJunkBytes;
    const std::size_t size = pos_ - *item_start_;
    extents_.push_back({*item_start_, std::min(size, limit), kind, truncated || size > limit});
    boundary_ = pos_;
}

}  // namespace fendex::pgn
