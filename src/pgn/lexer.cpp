#include "pgn/lexer.hpp"

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"
#include "pgn/byte_block.hpp"
#include "pgn/symbols.hpp"

namespace fendex::pgn {

namespace {

/// Returns whether a token may end before `p`.
bool ends_token(const char* p, const char* end) {
    return p == end || is_space(*p) || std::strchr("[{(;)}<", *p) != nullptr ||
           match_wide_blank(p, end) != 0;
}

/// Returns the length of the dash at `p`, in UTF-8 or Windows-1252.
std::size_t match_dash(const char* p, const char* end) {
    if (p < end && (*p == '\x96' || *p == '\x97')) return 1;
    return base::dash_length({p, static_cast<std::size_t>(end - p)});
}

/// Returns the length of the marker `text` at `p`. Its dash may be a colon or have blanks around it
/// (1/2 - 1/2), and a full stop may follow the marker. In `text`, `h` stands for ½.
std::size_t match_text(const char* p, const char* end, std::string_view text) {
    constexpr std::ptrdiff_t kMaxBlanks = 8;
    const char* at = p;
    const auto skip = [&] { at = skip_blanks(at, end - at > kMaxBlanks ? at + kMaxBlanks : end); };
    for (const char c : text) {
        std::size_t n = 0;
        if (c == '-') {
            skip();
            n = at < end && *at == ':' ? 1 : match_dash(at, end);
        } else if (c == 'h') {
            const std::string_view rest(at, static_cast<std::size_t>(end - at));
            n = rest.starts_with("\u00BD") ? 2 : rest.starts_with('\xBD') ? 1 : 0;
        } else if (at < end && *at == c) {
            n = 1;
        }
        if (n == 0) return 0;
        at += n;
        if (c == '-') skip();
    }
    if (text.size() > 1 && at < end && *at == '.') ++at;
    return ends_token(at, end) ? static_cast<std::size_t>(at - p) : 0;
}

/// Returns the length of +-- or --+, with any dashes, if it ends a game: the text ends there, or an
/// empty line or a tag pair follows.
std::size_t match_forfeit(const char* p, const char* end) {
    const char* at = p;
    const auto take_dash = [&] {
        const std::size_t n = match_dash(at, end);
        at += n;
        return n != 0;
    };
    const auto take_plus = [&] { return at < end && *at == '+' && ++at != nullptr; };
    const auto take_dashes = [&] {
        const bool first = take_dash();
        return first && take_dash();
    };
    const bool found = *p == '+' ? take_plus() && take_dashes() : take_dashes() && take_plus();
    if (!found || !ends_token(at, end)) return 0;
    const auto size = static_cast<std::size_t>(at - p);
    const char* limit = end - at > 64 ? at + 64 : end;
    unsigned lines = 0;
    for (; at < limit; ++at) {
        at = skip_blanks(at, limit);
        if (at == limit || *at == '[') return size;
        if (!is_newline(*at)) return 0;
        lines += *at == '\n' || at + 1 == limit || at[1] != '\n' ? 1U : 0U;
        if (lines == 2) return size;
    }
    return at == end ? size : 0;
}

}  // namespace

bool is_inside_character(const char* begin, const char* p, const char* end) {
    constexpr std::ptrdiff_t kLongest = 4;
    const std::string_view text(begin, static_cast<std::size_t>(end - begin));
    for (const char* lead = p; lead > begin && p - lead + 1 < kLongest;) {
        --lead;
        const std::size_t length = base::utf8_length(text, static_cast<std::size_t>(lead - begin));
        if (length > 1) return length > static_cast<std::size_t>(p - lead);
    }
    return false;
}

std::size_t match_result(const char* p, const char* end) {
    const auto match_any = [&](auto... texts) {
        std::size_t n = 0;
        ((n = n != 0 ? n : match_text(p, end, texts)), ...);
        return n;
    };
    switch (*p) {
        case '*': return match_any("*");
        case '0': return match_any("0-1");
        case '1': return match_any("1-0", "1/2-1/2", "1/2");
        case '\xC2':
        case '\xBD': return match_any("h-h", "h");
        case '+':
        case '-':
        case '\xE2':
        case '\x96':
        case '\x97': return match_forfeit(p, end);
        default: return 0;
    }
}

std::size_t match_afterthought(const char* p, const char* end) {
    if (const std::size_t n = match_result(p, end); n != 0) return n;
    if (const std::size_t n = match_symbol(p, end).size; n != 0) return n;
    constexpr std::ptrdiff_t kLongest = 8;
    const char* limit = end - p > kLongest ? p + kLongest : end;
    const char* at =
        *p == '$' ? std::find_if_not(p + 1, limit, is_digit) : std::find_if(p, limit, [](char c) {
            return std::string_view("+-=/!?#").find(c) == std::string_view::npos;
        });
    return at != p && ends_token(at, end) ? static_cast<std::size_t>(at - p) : 0;
}

std::string_view plain_result(std::string_view marker) {
    switch (marker[0]) {
        case '*': return "*";
        case '0': return "0-1";
        case '1': return marker.starts_with("1/") ? "1/2-1/2" : "1-0";
        case '+': return "1-0";
        case '\xC2':
        case '\xBD': return "1/2-1/2";
        default: return "0-1";
    }
}

namespace {

/// Returns the length of a curly quote at the start of `text`, in UTF-8 or Windows-1252.
std::size_t curly_quote_length(std::string_view text) {
    if (text.starts_with("\xE2\x80") && text.size() > 2) {
        return text[2] >= '\x9C' && text[2] <= '\x9F' ? 3 : 0;  // “ ” „ ‟
    }
    return !text.empty() && std::string_view("\x93\x94\x84").find(text[0]) != std::string_view::npos
               ? 1
               : 0;
}

}  // namespace

TagOpening match_tag(const char* p, const char* end) {
    if (p == end || *p != '[') return {};
    const char* limit = static_cast<std::size_t>(end - p) > kLookahead ? p + kLookahead : end;
    ++p;
    p = skip_blanks(p, limit);
    const char* name = p;
    while (p < limit && is_name_char(*p)) ++p;
    const auto length = static_cast<std::size_t>(p - name);
    if (length == 0 || length > kMaxTagName) return {};
    p = skip_blanks(p, limit);
    if (p == limit) return {};
    const std::size_t quote = *p == '"' ? 1 : curly_quote_length({p, std::size_t(limit - p)});
    if (quote == 0) return {};
    return {std::string_view(name, length), p + quote};
}

std::string_view without_closing_quote(std::string_view text) {
    for (std::size_t n = 3; n != 0; --n) {
        if (text.size() < n) continue;
        const std::string_view last = text.substr(text.size() - n);
        if (last == "\"" || curly_quote_length(last) == n) {
            text.remove_suffix(n);
            break;
        }
    }
    return text;
}

namespace {

/// Returns the place of the first quote, backslash or line end, or an earlier place.
const char* skip_plain_value(const char* p, const char* stop) {
    while (stop - p >= kBlockBytes) {
        const ByteBlock c = load_block(p);
        const std::ptrdiff_t n = first_of((c == '"') | (c == '\\') | within(c, '\n', '\r'));
        p += n;
        if (n != kBlockBytes) break;
    }
    return p;
}

}  // namespace

TagScan::End TagScan::scan(const char*& p, const char* stop, const char* end) {
    for (; p < stop; ++p) {
        if (!escaped) p = skip_plain_value(p, stop);
        if (p == stop) break;
        const char c = *p;
        if (is_newline(c)) return End::kUnclosed;
        if (c == '"' && !escaped && closes_tag(p, end)) return End::kClosed;
        escaped = c == '\\' && !escaped;
    }
    return stop == end ? End::kUnclosed : End::kMore;
}

namespace {

/// Finds the line in the body of a comment at which a game begins with a tag pair; null if there is
/// none.
const char* find_game_start(const char* p, const char* body_end, const char* end) {
    while (p < body_end) {
        p = static_cast<const char*>(std::memchr(p, '[', static_cast<std::size_t>(body_end - p)));
        if (p == nullptr) return nullptr;
        if (is_newline(p[-1]) && at_game_start(p, end)) return p;
        ++p;
    }
    return nullptr;
}

enum class Pasted {
    kNo,
    kPlain,       // the next brace closes the comment
    kWithBraces,  // a brace closes it after pairs of braces
    kUnknown,
};

/// Returns whether the last word before `p` is a result.
bool follows_result(const char* begin, const char* p) {
    while (p > begin && is_space(p[-1])) --p;
    const char* word = p;
    while (word > begin && !is_space(word[-1])) --word;
    return word != p && match_result(word, p) == static_cast<std::size_t>(p - word);
}

/// Returns whether a game that begins at `p` was pasted into the comment: within kPastedGame bytes
/// there is one closing brace more than opening braces. If the game has comments of its own, that
/// brace must follow a result. Without a result it is more likely that two braces are missing.
Pasted pasted_game(const char* p, const char* stop, const char* end) {
    const char* const begin = p;
    constexpr unsigned kDeepest = 8;  // a comment in a comment of a pasted game is rare
    const bool near_end = static_cast<std::size_t>(end - p) < kPastedGame;
    const char* limit = near_end ? end : p + kPastedGame;
    bool pairs = false;
    for (unsigned open = 0;; ++p) {
        p = std::find_if(p, limit, [](char c) { return c == '{' || c == '}'; });
        if (p == limit) return near_end && stop != end ? Pasted::kUnknown : Pasted::kNo;
        if (*p == '{') {
            pairs = true;
            if (++open > kDeepest) return Pasted::kNo;
        } else if (open-- == 0) {
            if (!pairs) return Pasted::kPlain;
            return follows_result(begin, p) ? Pasted::kWithBraces : Pasted::kNo;
        }
    }
}

}  // namespace

namespace {

/// Returns the brace that closes a short comment of one line without braces; null if it is another
/// comment. Most comments are such clocks and evaluations.
const char* close_of_short_comment(const char* p, const char* stop) {
    constexpr std::ptrdiff_t kShort = 4 * kBlockBytes;
    if (is_newline(p[-1])) return nullptr;  // a game may begin here
    const char* const last = p + std::min(stop - p, kShort) - kBlockBytes;
    for (; p <= last; p += kBlockBytes) {
        const ByteBlock c = load_block(p);
        const std::ptrdiff_t n = first_of((c == '{') | (c == '}') | within(c, '\n', '\r'));
        if (n != kBlockBytes) return p[n] == '}' ? p + n : nullptr;
    }
    return nullptr;
}

}  // namespace

CommentScan::End CommentScan::scan(const char*& p, const char* stop, const char* end) {
    if (inner == 0 && !in_pairs && p < stop) {
        if (const char* const close = close_of_short_comment(p, stop)) {
            p = close + 1;
            return End::kClosed;
        }
    }
    while (p < stop) {
        const auto* brace =
            static_cast<const char*>(std::memchr(p, '}', static_cast<std::size_t>(stop - p)));
        const char* body_end = brace != nullptr ? brace : stop;
        const char* const game = in_pairs ? nullptr : find_game_start(p, body_end, end);
        if (game != nullptr) {
            // If the game was pasted, so were the others before the brace that closes the comment.
            const Pasted pasted = pasted_game(game, stop, end);
            if (pasted == Pasted::kNo || pasted == Pasted::kUnknown) {
                p = game;
                return pasted == Pasted::kNo ? End::kCut : End::kMore;
            }
            if (pasted == Pasted::kWithBraces) {
                in_pairs = true;
                inner = 0;
                p = game;
                continue;
            }
        }
        // Hardly any comment has an inner brace, and memchr is three times as fast as counting.
        if (std::memchr(p, '{', static_cast<std::size_t>(body_end - p)) != nullptr) {
            inner += static_cast<unsigned>(std::count(p, body_end, '{'));
        }
        p = body_end;
        if (brace == nullptr) return End::kMore;
        ++p;
        if (inner == 0) return End::kClosed;
        if (in_pairs) {
            --inner;
            continue;
        }
        // An inner brace was open: does this one close it, or the comment?
        const char* limit = static_cast<std::size_t>(end - p) > kLookahead ? p + kLookahead : end;
        const char* next = std::find_if(p, limit, [](char c) { return c == '{' || c == '}'; });
        if (next == limit || *next == '{') return End::kClosed;
        --inner;
    }
    return End::kMore;
}

std::size_t match_promotion_apart(std::string_view word, const char* p, const char* end) {
    const bool has_sign = word.ends_with('=');
    if (has_sign) word.remove_suffix(1);
    const bool is_pawn = word.size() >= 2 && word[0] >= 'a' && word[0] <= 'h' &&
                         (word.back() == '8' || word.back() == '1');
    if (!is_pawn || p == end || *p != ' ') return 0;
    const auto take = [&](const char*& at, std::string_view any) {
        const bool found = at < end && any.find(*at) != std::string_view::npos;
        at += found ? 1 : 0;
        return found;
    };
    const auto take_letter = [&](const char*& at) {
        const char* letter = at;
        while (at < end && static_cast<unsigned char>(*at) >= 0x80 && at - letter < 6) ++at;
        return at != letter || take(at, "QRBNKDTLSCFAHVWPEGM");
    };
    const char* at = p + 1;
    if (!has_sign && take(at, "(")) {
        return take_letter(at) && take(at, ")") ? static_cast<std::size_t>(at - p) : 0;
    }
    if (!has_sign && !take(at, "=")) return 0;
    if (!has_sign) take(at, " ");
    const bool found =
        take_letter(at) && (ends_token(at, end) || std::strchr("+#!?", *at) != nullptr);
    return found ? static_cast<std::size_t>(at - p) : 0;
}

std::size_t match_markup(const char* p, const char* end) {
    if (end - p < 3 || *p != '<' || !(is_letter(p[1]) || p[1] == '/' || p[1] == '!')) return 0;
    const char* limit = static_cast<std::size_t>(end - p) > kLookahead ? p + kLookahead : end;
    const char* close = std::find_if(p, limit, [](char c) { return c == '>' || is_newline(c); });
    return close != limit && *close == '>' ? static_cast<std::size_t>(close + 1 - p) : 0;
}

std::size_t match_move(const char* p, const char* end) {
    constexpr std::size_t kLongest = 16;
    const char* limit = end - p > static_cast<std::ptrdiff_t>(kLongest) ? p + kLongest : end;
    const char* stop = std::find_if(p, limit, [](char c) {
        return is_space(c) || c == '{' || c == '(' || c == ';' || c == '$' || c == '[' || c == '*';
    });
    const std::string_view word(p, static_cast<std::size_t>(stop - p));
    for (const std::string_view start :
         {"O-O", "0-0", "o-o", "O\u2013O", "0\u20130", "--", "Z0", "@@@@"}) {
        if (word.starts_with(start)) return word.size();
    }
    // The word must begin with the letter of a file, or of a piece in any language.
    const auto is_high = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (word.size() < 2) return 0;
    std::size_t i = 1;
    if (is_high(word[0])) {
        while (i < word.size() && is_high(word[i])) ++i;
    } else if (!is_upper(word[0]) && std::strchr("abcdefgh", word[0]) == nullptr) {
        return 0;
    }
    bool square = false;
    for (; i < word.size(); ++i) {
        square |= word[i] >= '1' && word[i] <= '8' && word[i - 1] >= 'a' && word[i - 1] <= 'h';
        const bool known =
            square ? is_upper(word[i]) || is_high(word[i]) ||
                         std::strchr("abcdefghnrqx:-12345678+#!?=/)p.", word[i]) != nullptr
                   : std::strchr("abcdefghNBRQKx:-12345678", word[i]) != nullptr;
        if (!known && !word.substr(i).starts_with("\xE2\x80")) return 0;
        if (!known) i += 2;  // a dash
    }
    return square ? word.size() : 0;
}

bool begins_movetext(const char* p, const char* end) {
    const char* limit = end - p > 64 ? p + 64 : end;
    const auto skip = [&](const char* from, auto skipped) {
        return std::find_if_not(from, std::max(from, limit), skipped);
    };
    std::size_t length = match_move(p, end);  // first, because "0-0" begins like a number
    if (length == 0) {
        const char* word = skip(p, is_digit);
        if (word != p) word = skip(word, [](char c) { return is_space(c) || c == '.'; });
        p = word;
        length = match_move(p, end);
    }
    if (length == 0) return false;
    // Prose may mention a square, so no word of prose may follow.
    p = skip(p + length, is_space);
    const bool letter = p < end && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z'));
    return !letter || match_move(p, end) != 0 || is_aside(std::string_view(p, end));
}

namespace {

/// Windows-1252, 0x80-0x9F; 0 if it has no character there (the control character is kept).
constexpr std::uint16_t kWindows1252[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

/// Returns 1 if a line ends with this character, which another one follows; else 0. Without
/// branches.
std::uint8_t line_ends(const char* c) {
    const unsigned newline = c[0] == '\n' ? 1 : 0;
    const unsigned lone = c[0] == '\r' ? 1 : 0;
    const unsigned unpaired = c[1] != '\n' ? 1 : 0;
    return static_cast<std::uint8_t>(newline | (lone & unpaired));
}

}  // namespace

std::uint64_t count_lines(std::string_view text, std::size_t n) {
    // Blocks of a fixed length whose count fits into a byte: compilers vectorise them.
    constexpr std::size_t kBlock = 128;
    std::uint64_t lines = 0;
    const std::size_t paired = std::min(n, text.empty() ? 0 : text.size() - 1);
    std::size_t i = 0;
    for (; i + kBlock <= paired; i += kBlock) {
        const char* const block = text.data() + i;
        std::uint8_t in_block = 0;
        for (std::size_t k = 0; k < kBlock; ++k) {
            in_block = static_cast<std::uint8_t>(in_block + line_ends(block + k));
        }
        lines += in_block;
    }
    for (; i < paired; ++i) lines += line_ends(text.data() + i);
    if (paired < n) lines += is_newline(text[paired]) ? 1U : 0U;
    return lines;
}

bool needs_cleaning(std::string_view raw) {
    return std::any_of(raw.begin(), raw.end(), [](char c) {
        return c == '\\' || c == '\0' || static_cast<unsigned char>(c) >= 0x80;
    });
}

namespace {

/// Appends the character at `i` as UTF-8.
void append_clean(std::string_view raw, std::size_t i, bool utf8, std::string& out) {
    const auto byte = static_cast<unsigned char>(raw[i]);
    if (byte == 0) {
        out += ' ';  // NUL is a blank here too; SQL text and C programs would end at it
    } else if (byte < 0x80 || utf8) {
        out += raw[i];
    } else {
        const unsigned code = byte < 0xA0 ? kWindows1252[byte - 0x80U] : byte;
        base::append_utf8(code != 0 ? code : byte, out);
    }
}

}  // namespace

std::string clean_value(std::string_view raw) {
    std::string out;
    out.reserve(raw.size());
    const bool utf8 = base::is_utf8(raw);
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const bool escape =
            raw[i] == '\\' && i + 1 < raw.size() && (raw[i + 1] == '"' || raw[i + 1] == '\\');
        append_clean(raw, escape ? ++i : i, utf8, out);
    }
    return out;
}

std::string clean_text(std::string_view raw) {
    const bool plain = std::none_of(raw.begin(), raw.end(), [](char c) {
        return c == '\r' || c == '\0' || static_cast<unsigned char>(c) >= 0x80;
    });
    if (plain) return std::string(raw);
    std::string out;
    out.reserve(raw.size());
    const bool utf8 = base::is_utf8(raw);
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] != '\r') {
            append_clean(raw, i, utf8, out);
        } else if (i + 1 == raw.size() || raw[i + 1] != '\n') {
            out += '\n';
        }
    }
    return out;
}

MoveGlyphs glyphs_of_move(std::string_view move) {
    const auto is_mark = [](char c) { return c == '!' || c == '?'; };
    const auto is_check = [](char c) { return c == '+' || c == '#'; };
    const std::size_t tail = move.find_first_of("+#!?");
    if (tail == std::string_view::npos) return {};
    move.remove_prefix(tail);
    // "+-" and "+/-" are not checks, "++" is.
    while (!move.empty() && is_check(move[0]) &&
           (move.size() == 1 || is_check(move[1]) || is_mark(move[1]))) {
        move.remove_prefix(1);
    }
    MoveGlyphs glyphs;
    const auto* mark_end = std::find_if_not(move.begin(), move.end(), is_mark);
    glyphs.mark = move.substr(0, static_cast<std::size_t>(mark_end - move.begin()));
    move.remove_prefix(glyphs.mark.size());
    const bool evaluation =
        move.find_first_not_of("+-=/") == std::string_view::npos && move != "--";
    if (evaluation && move.find_first_not_of('+') != std::string_view::npos)
        glyphs.evaluation = move;
    return glyphs;
}

bool is_move_word(std::string_view word) {
    if (word.empty() || is_aside(word)) return false;
    if (match_result(word.data(), word.data() + word.size()) == word.size()) return false;
    switch (word[0]) {
        case '-': return word == "--" || word.find_first_not_of("+-=/") != std::string_view::npos;
        case '0': return word.find('.') == std::string_view::npos;  // 0-0
        default:
            return std::string_view("123456789$*!?=+#/.,[]<>").find(word[0]) ==
                   std::string_view::npos;
    }
}

BraceFit fit_braces(std::string_view text) {
    if (text.find_first_of("{}") == std::string_view::npos &&
        text.find("[Event \"") == std::string_view::npos) {
        return BraceFit::kFits;
    }
    const std::string closed = std::string(1, '{').append(text) + '}';
    const char* p = closed.data() + 1;
    const char* end = closed.data() + closed.size();
    CommentScan scan;
    if (scan.scan(p, end, end) != CommentScan::End::kClosed || p != end) return BraceFit::kNot;
    return scan.inner == 0 ? BraceFit::kFits : BraceFit::kUnlessClosed;
}

}  // namespace fendex::pgn
