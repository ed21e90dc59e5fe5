#include "codec/annotation.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/cut.hpp"

namespace fendex::codec {

namespace {

// Bytes of a stored comment that stand for a longer text; kEscape marks the next byte as literal.
constexpr char kClock = 0x0E;        // [%clk 1:23:45]
constexpr char kClockTenths = 0x0F;  // [%clk 1:23:45.6]
constexpr char kEval = 0x10;         // [%eval -1.23]
constexpr char kEscape = 0x1F;

constexpr std::string_view kClockBegin = "[%clk ";
constexpr std::string_view kEvalBegin = "[%eval ";
constexpr std::int64_t kMaxHours = 999;
constexpr std::int64_t kMaxEval = 999'999;

constexpr bool stands_for_more(char c) {
    return c == kClock || c == kClockTenths || c == kEval || c == kEscape;
}

/// Takes a number without leading zeros off the front; nullopt if there is none or it has more than
/// `max_digits` digits.
std::optional<std::int64_t> take_number(std::string_view& text, std::size_t max_digits) {
    std::size_t n = 0;
    std::int64_t value = 0;
    while (n < text.size() && n <= max_digits && text[n] >= '0' && text[n] <= '9') {
        value = value * 10 + (text[n++] - '0');
    }
    if (n == 0 || n > max_digits || (text[0] == '0' && n > 1)) return std::nullopt;
    text.remove_prefix(n);
    return value;
}

bool take(std::string_view& text, char c) {
    if (text.empty() || text[0] != c) return false;
    text.remove_prefix(1);
    return true;
}

/// Takes a two-digit number below `limit`.
std::optional<std::int64_t> take_pair(std::string_view& text, std::int64_t limit) {
    if (text.size() < 2) return std::nullopt;
    const int tens = text[0] - '0';
    const int ones = text[1] - '0';
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9 || tens * 10 + ones >= limit) {
        return std::nullopt;
    }
    text.remove_prefix(2);
    return tens * 10 + ones;
}

struct Clock {
    std::int64_t tenths = 0;
    bool has_tenths = false;
};

/// Takes the rest of an append_clock() text, after "[%clk ", off the front.
std::optional<Clock> take_clock(std::string_view& text) {
    const auto hours = take_number(text, 3);
    if (!hours || !take(text, ':')) return std::nullopt;
    const auto minutes = take_pair(text, 60);
    if (!minutes || !take(text, ':')) return std::nullopt;
    const auto seconds = take_pair(text, 60);
    if (!seconds) return std::nullopt;
    Clock clock{((*hours * 60 + *minutes) * 60 + *seconds) * 10, take(text, '.')};
    if (clock.has_tenths) {
        if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
        clock.tenths += text[0] - '0';
        text.remove_prefix(1);
    }
    if (!take(text, ']')) return std::nullopt;
    return clock;
}

/// Takes the rest of an append_eval() text, after "[%eval ", off the front.
std::optional<std::int64_t> take_eval(std::string_view& text) {
    const bool negative = take(text, '-');
    const auto pawns = take_number(text, 4);
    if (!pawns || !take(text, '.')) return std::nullopt;
    const auto hundredths = take_pair(text, 100);
    if (!hundredths || !take(text, ']')) return std::nullopt;
    const std::int64_t value = *pawns * 100 + *hundredths;
    if (negative && value == 0) return std::nullopt;
    return negative ? -value : value;
}

void append_pair(std::int64_t value, std::string& out) {
    out += static_cast<char>('0' + value / 10);
    out += static_cast<char>('0' + value % 10);
}

void append_clock(Clock clock, std::string& out) {
    const std::int64_t seconds = clock.tenths / 10;
    out += kClockBegin;
    out += std::to_string(seconds / 3600);
    out += ':';
    append_pair(seconds / 60 % 60, out);
    out += ':';
    append_pair(seconds % 60, out);
    if (clock.has_tenths) {
        out += '.';
        out += static_cast<char>('0' + clock.tenths % 10);
    }
    out += ']';
}

void append_eval(std::int64_t value, std::string& out) {
    out += kEvalBegin;
    if (value < 0) out += '-';
    out += std::to_string(std::abs(value) / 100);
    out += '.';
    append_pair(std::abs(value) % 100, out);
    out += ']';
}

constexpr char byte_of(AnnotationToken token) { return static_cast<char>(token); }

}  // namespace

void AnnotationStreamWriter::clear() {
    text_.clear();
    clocks_.clear();
    evals_.clear();
    numbers_ = {};
    moves_ = 0;
    result_ = false;
    in_words_ = false;
}

void AnnotationStreamWriter::move() {
    ++moves_;
    result_ = false;  // the result was not at the end of the game
}

void AnnotationStreamWriter::result() { result_ = true; }

/// Writes the moves counted so far. They are written only when another token follows them.
void AnnotationStreamWriter::place() {
    in_words_ = false;
    text_.append(moves_, byte_of(AnnotationToken::kMove));
    moves_ = 0;
    if (result_) text_ += byte_of(AnnotationToken::kResult);
    result_ = false;
}

void AnnotationStreamWriter::put(AnnotationToken token) {
    place();
    text_ += byte_of(token);
}

void AnnotationStreamWriter::put(AnnotationToken token, std::string_view text) {
    put(token);
    text_ += text;
    text_ += '\0';
}

void AnnotationStreamWriter::word(std::string_view text) {
    if (in_words_) {
        text_.back() = ' ';
        text_ += text;
        text_ += '\0';
    } else {
        put(AnnotationToken::kWord, text);
        in_words_ = true;
    }
}

void AnnotationStreamWriter::comment(std::string_view text) {
    put(AnnotationToken::kComment);
    while (!text.empty()) {
        if (text[0] == '[') {
            std::string_view rest = text;
            if (text.starts_with(kClockBegin)) {
                rest.remove_prefix(kClockBegin.size());
                if (const auto clock = take_clock(rest)) {
                    std::int64_t& last = numbers_.clocks[numbers_.turn++ % 2];
                    text_ += clock->has_tenths ? kClockTenths : kClock;
                    put_varint(zigzag(clock->has_tenths ? last - clock->tenths
                                                        : last / 10 - clock->tenths / 10),
                               clocks_);
                    last = clock->tenths;
                    text = rest;
                    continue;
                }
            } else if (text.starts_with(kEvalBegin)) {
                rest.remove_prefix(kEvalBegin.size());
                if (const auto eval = take_eval(rest)) {
                    text_ += kEval;
                    put_varint(zigzag(*eval - numbers_.eval), evals_);
                    numbers_.eval = *eval;
                    text = rest;
                    continue;
                }
            }
        }
        if (stands_for_more(text[0])) text_ += kEscape;
        text_ += text[0];
        text.remove_prefix(1);
    }
    text_ += '\0';
}

void AnnotationStreamWriter::append_to(std::string& out) const {
    put_varint(text_.size(), out);
    put_varint(clocks_.size(), out);
    out += text_;
    out += clocks_;
    out += evals_;
}

AnnotationStreamReader::AnnotationStreamReader(std::string_view stream)
    : clocks_(std::string_view()), evals_(std::string_view()) {
    ByteReader bytes(stream);
    const std::uint64_t text = bytes.varint();
    const std::uint64_t clocks = bytes.varint();
    tokens_ = bytes.bytes(text);
    clocks_ = ByteReader(bytes.bytes(clocks));
    evals_ = ByteReader(bytes.rest());
    corrupt_ = bytes.failed();
}

bool AnnotationStreamReader::fail() {
    corrupt_ = true;
    return false;
}

bool AnnotationStreamReader::next() {
    if (corrupt_) return false;
    if (closed_) --depth_;
    closed_ = false;
    if (!words_.empty()) {
        text_ = base::cut(words_, ' ');
        return !text_.empty() || fail();
    }
    if (tokens_.empty()) return depth_ == 0 ? false : fail();
    token_ = static_cast<AnnotationToken>(tokens_[0]);
    tokens_.remove_prefix(1);
    text_ = {};
    switch (token_) {
        case AnnotationToken::kMove:
        case AnnotationToken::kResult: return depth_ == 0 || fail();
        case AnnotationToken::kOpen: ++depth_; return true;
        case AnnotationToken::kClose: closed_ = true; return depth_ > 0 || fail();
        case AnnotationToken::kGlyph: return read_text();
        case AnnotationToken::kComment: return read_text() && expand(text_);
        case AnnotationToken::kWord:
            if (depth_ == 0 || !read_text() || text_.empty()) return fail();
            words_ = text_;
            return next();
        default: return fail();
    }
}

bool AnnotationStreamReader::read_text() {
    const std::size_t end = tokens_.find('\0');
    if (end == std::string_view::npos) return fail();
    text_ = tokens_.substr(0, end);
    tokens_.remove_prefix(end + 1);
    return true;
}

bool AnnotationStreamReader::expand(std::string_view packed) {
    if (std::ranges::none_of(packed, stands_for_more)) return true;
    expanded_.clear();
    for (std::size_t i = 0; i < packed.size(); ++i) {
        switch (packed[i]) {
            case kClock:
            case kClockTenths:
                if (!expand_clock(packed[i] == kClockTenths)) return fail();
                break;
            case kEval:
                if (!expand_eval()) return fail();
                break;
            case kEscape:
                if (++i == packed.size()) return fail();
                [[fallthrough]];
            default: expanded_ += packed[i];
        }
    }
    text_ = expanded_;
    return true;
}

bool AnnotationStreamReader::expand_clock(bool tenths) {
    constexpr std::int64_t kEnd = (kMaxHours + 1) * 36'000;
    const std::int64_t down = unzigzag(clocks_.varint());
    std::int64_t& last = numbers_.clocks[numbers_.turn++ % 2];
    if (clocks_.failed() || down > kEnd || down < -kEnd) return false;
    last = tenths ? last - down : (last / 10 - down) * 10;
    if (last < 0 || last >= kEnd) return false;
    append_clock({last, tenths}, expanded_);
    return true;
}

bool AnnotationStreamReader::expand_eval() {
    const std::int64_t up = unzigzag(evals_.varint());
    if (evals_.failed() || up > 2 * kMaxEval || up < -2 * kMaxEval) return false;
    numbers_.eval += up;
    if (std::abs(numbers_.eval) > kMaxEval) return false;
    append_eval(numbers_.eval, expanded_);
    return true;
}

std::optional<std::size_t> moves_of_annotation(std::string_view stream) {
    AnnotationStreamReader in(stream);
    std::size_t moves = 0;
    while (in.next()) moves += in.token() == AnnotationToken::kMove ? 1U : 0U;
    return in.corrupt() ? std::nullopt : std::optional(moves);
}

std::string cut_annotation(std::string_view stream, std::size_t moves) {
    AnnotationStreamReader in(stream);
    AnnotationStreamWriter out;
    std::size_t played = 0;
    while (in.next() && !(in.token() == AnnotationToken::kMove && ++played > moves)) {
        switch (in.token()) {
            case AnnotationToken::kMove: out.move(); break;
            case AnnotationToken::kComment: out.comment(in.text()); break;
            case AnnotationToken::kGlyph: out.glyph(in.text()); break;
            case AnnotationToken::kWord: out.word(in.text()); break;
            case AnnotationToken::kResult: out.result(); break;
            case AnnotationToken::kOpen: out.open(); break;
            case AnnotationToken::kClose: out.close(); break;
        }
    }
    // A move cannot be in a variation, but damage can.
    for (unsigned open = in.depth(); open > 0; --open) out.close();
    std::string cut;
    if (!out.empty()) out.append_to(cut);
    return cut;
}

}  // namespace fendex::codec
