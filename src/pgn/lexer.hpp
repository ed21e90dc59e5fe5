// The lexical rules of PGN as people write it. Splitter and Reader both use them, so they cannot
// disagree about what a comment, a tag pair or a result is. Pure functions over [p, end). To decide
// anything they look at most kLookahead bytes ahead, or kPastedGame for a game inside a comment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/typeset.hpp"

namespace fendex::pgn {

/// How far a decision may look ahead. The Splitter decides nothing before its buffer has this many
/// bytes (or the input ends), so a decision cannot depend on where the buffer ends.
inline constexpr std::size_t kLookahead = 1024;
inline constexpr std::size_t kMaxTagName = 255;

constexpr bool is_newline(char c) { return c == '\n' || c == '\r'; }
/// Ctrl-Z, which programs for DOS write at the end of a text.
inline constexpr char kEndOfFile = '\x1A';
/// NUL bytes are blanks: old database exports pad with them.
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0' || c == kEndOfFile;
}
constexpr bool is_space(char c) { return is_blank(c) || is_newline(c); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline constexpr auto kNameChars = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view("0123456789_"))
        table[static_cast<unsigned char>(c)] = true;
    for (char c = 'a'; c <= 'z'; ++c) table[static_cast<unsigned char>(c)] = true;
    for (char c = 'A'; c <= 'Z'; ++c) table[static_cast<unsigned char>(c)] = true;
    return table;
}();
/// Returns whether the name of a tag may contain `c`.
constexpr bool is_name_char(char c) { return kNameChars[static_cast<unsigned char>(c)]; }

/// The no-break space and the soft hyphen of Windows-1252. In UTF-8 these bytes belong to other
/// characters: see is_inside_character().
constexpr bool is_single_blank(char c) { return c == '\xA0' || c == '\xAD'; }
/// Returns whether a blank or a symbol (see symbols.hpp) in UTF-8, or a blank in Windows-1252, may
/// begin with `c`. Most letters and chessmen do not.
constexpr bool is_wide_lead(char c) {
    return c == '\xC2' || c == '\xE2' || c == '\xE3' || c == '\xEF' || is_single_blank(c);
}
/// Like is_wide_lead(), and true for the only symbol of Windows-1252, ±.
constexpr bool may_begin_symbol(char c) { return is_wide_lead(c) || c == '\xB1'; }
/// Characters that end a word of movetext without a blank. Splitter and Reader both skip words by
/// this table. A `(` or a byte beyond ASCII may continue the word.
inline constexpr auto kWordEnd = [] {
    std::array<bool, 256> table{};
    // NOLINTNEXTLINE(bugprone-string-constructor): the text has a \0
    for (const char c : std::string_view(" \t\v\f\n\r\0\x1A{}[];$*()<>", 20)) {
        table[static_cast<unsigned char>(c)] = true;
    }
    for (std::size_t c = 0x80; c < table.size(); ++c) {
        table[c] = may_begin_symbol(static_cast<char>(c));
    }
    return table;
}();
inline bool may_end_word(char c) { return kWordEnd[static_cast<unsigned char>(c)]; }

/// Returns the length of a blank beyond ASCII at `p`; 0 if there is none. `p` must be at the start
/// of a character. Such blanks separate tokens, too.
inline std::size_t match_wide_blank(const char* p, const char* end) {
    if (p < end && is_single_blank(*p)) return 1;
    return base::wide_blank_length({p, static_cast<std::size_t>(end - p)});
}
/// Returns whether a blank beyond ASCII has no width.
constexpr bool is_invisible_blank(std::string_view blank) {
    return blank == "\xAD" || base::is_invisible(blank);
}
/// Returns whether the byte at `p` belongs to a character in UTF-8 that begins before it, at
/// `begin` or later.
bool is_inside_character(const char* begin, const char* p, const char* end);
/// Like match_wide_blank(), but `p` may be any byte of the text that begins at `begin`.
inline std::size_t match_wide_blank_within(const char* begin, const char* p, const char* end) {
    if (is_single_blank(*p) && is_inside_character(begin, p, end)) return 0;
    return match_wide_blank(p, end);
}
/// Returns the end of the blanks at `p`, not counting line ends as blanks.
inline const char* skip_blanks(const char* p, const char* limit) {
    while (p < limit) {
        const std::size_t n = is_blank(*p) ? 1 : is_wide_lead(*p) ? match_wide_blank(p, limit) : 0;
        if (n == 0) break;
        p += n;
    }
    return p;
}

/// Returns the length of the termination marker at `p` (1-0, 0-1, 1/2-1/2, 1/2, *, with any dash or
/// a colon, and ½), 0 if there is none. The dash may have blanks around it. The text after the
/// marker, and after a full stop that may follow it, must end a token. +-- and --+, wins by
/// forfeit, are markers if nothing of the game follows: before a move they are evaluations.
std::size_t match_result(const char* p, const char* end);
/// Returns the length of the remark at `p` that follows a game's result: the result again, an
/// evaluation (+-, ±) or a NAG; 0 if there is none.
std::size_t match_afterthought(const char* p, const char* end);
/// Returns a marker that match_result() found, in the spelling of the PGN standard.
std::string_view plain_result(std::string_view marker);

/// The opening of a tag pair: `[`, a name, a quote, perhaps with blanks between them. The quote may
/// be a curly one, as word processors write it; then only the end of the line ends the value.
struct TagOpening {
    std::string_view name;        // empty: no tag pair begins here
    const char* value = nullptr;  // after the opening quote
};
TagOpening match_tag(const char* p, const char* end);
/// Removes a quote, also a curly one, from the end of a value.
std::string_view without_closing_quote(std::string_view text);

/// Returns whether the quote at `quote` closes a tag value: only blanks and a `]` follow.
inline bool closes_tag(const char* quote, const char* end) {
    if (quote + 1 < end && quote[1] == ']') return true;
    const char* limit = end - quote > 64 ? quote + 64 : end;
    const char* p = skip_blanks(quote + 1, limit);
    return p < limit && *p == ']';
}

/// Scans the value of a tag pair. It can stop and resume anywhere, because a value has no maximum
/// length. The value ends with `"]`, or at the end of the line if it is never closed. Other quotes
/// belong to the value.
struct TagScan {
    bool escaped = false;  // the character before was a backslash that escapes the next
    enum class End { kMore, kClosed, kUnclosed };
    /// Advances `p`. kClosed: p is on the closing quote. kUnclosed: p is on the newline or the end.
    [[nodiscard]] End scan(const char*& p, const char* stop, const char* end);
};

/// How far a comment that holds a line `[Event "...` is searched for its closing brace. Several
/// games with tag pairs, pasted into a comment, fit into this. An unclosed comment cannot hide
/// games farther away than this. The Splitter waits until its buffer has this many bytes.
inline constexpr std::size_t kPastedGame = 16 * 1024;

/// Scans a brace comment. It can stop and resume anywhere. `}` ends the comment, unless it closes
/// an inner brace: an inner `{` was seen, and another `}` comes before any `{`. A line at which a
/// game begins (see at_game_start) ends a comment that was never closed. But if there is one
/// closing brace more than opening braces within kPastedGame bytes, the game was pasted into the
/// comment, and that brace ends the comment. If the game has comments, the brace must follow a
/// result.
struct CommentScan {
    enum class End {
        kMore,    // p reached `stop`; or stands at a line that needs more text to decide
        kClosed,  // p is after the closing brace
        kCut,     // p is at the line that begins a game
    };
    unsigned inner = 0;
    bool in_pairs = false;  // after the start of a pasted game that has braces itself
    /// Advances `p`, which starts after the opening brace. `stop` is `end` at the end of the text.
    [[nodiscard]] End scan(const char*& p, const char* stop, const char* end);
};

/// Returns whether a line that begins at `p` may start a game inside a comment.
inline bool at_game_start(const char* p, const char* end) {
    constexpr std::string_view kEvent = "[Event \"";
    return static_cast<std::size_t>(end - p) >= kEvent.size() &&
           std::memcmp(p, kEvent.data(), kEvent.size()) == 0;
}

/// Returns the length of a promotion in parentheses at `p`, as in e8(Q) or e8=(Q), with a piece
/// letter of any language. Returns 0 if there is none: then a `(` begins a variation.
inline std::size_t match_promotion(const char* begin, const char* p, const char* end) {
    constexpr std::ptrdiff_t kMaxLetter = 6;  // a figurine with a variation selector
    if (*p != '(' || end - p < 3) return 0;
    const char* before = p;  // after the rank, perhaps with a = between: e8=(Q)
    if (before > begin && before[-1] == '=') --before;
    if (before == begin || (before[-1] != '8' && before[-1] != '1')) return 0;
    const char* letter_end = p + 2;
    if (static_cast<unsigned char>(p[1]) >= 0x80) {
        while (letter_end < end && letter_end - p <= kMaxLetter &&
               static_cast<unsigned char>(*letter_end) >= 0x80) {
            ++letter_end;
        }
    } else if (!(p[1] >= 'A' && p[1] <= 'Z') && std::strchr("nbrq", p[1]) == nullptr) {
        return 0;
    }
    const bool closed = p[1] != '\0' && letter_end < end && *letter_end == ')';
    return closed ? static_cast<std::size_t>(letter_end + 1 - p) : 0;
}

/// Returns whether `)` at `p` closes a promotion that match_promotion() finds.
inline bool closes_promotion(const char* begin, const char* p, const char* end) {
    const char* open = p - 1;
    for (; open > begin && p - open <= 7; --open) {
        if (*open == '(') {
            return match_promotion(begin, open, end) == static_cast<std::size_t>(p + 1 - open);
        }
        if (static_cast<unsigned char>(*open) < 0x80 && p - open > 1) break;
    }
    return false;
}

/// Returns the length of a promotion that is written apart from its move, as in "e8 = Q",
/// "e8= Q" and "e8 (Q)", with the blanks before it; 0 if there is none. `word` is the move, which
/// ends at `p`.
std::size_t match_promotion_apart(std::string_view word, const char* p, const char* end);

/// Removes parentheses and their contents from a word, except those of a promotion. A word with
/// other parentheses would not be read back as one word.
inline void keep_promotions_only(std::string& word) {
    for (std::size_t at = 0; (at = word.find('(', at)) != std::string::npos;) {
        const char* const begin = word.data();
        const std::size_t n = match_promotion(begin, begin + at, begin + word.size());
        if (n != 0) {
            at += n;
        } else {
            const std::size_t close = word.find(')', at);
            word.erase(at, close == std::string::npos ? close : close + 1 - at);
        }
    }
}

/// Returns the length of the markup at `p` (<br />, </p>), as in scores copied from web pages; 0 if
/// there is none. Markup separates tokens and has no other meaning.
std::size_t match_markup(const char* p, const char* end);

/// Returns the length of the word at `p` if it could be a move (a square in it, castling, a null
/// move), else 0.
std::size_t match_move(const char* p, const char* end);

/// Returns whether moves begin at `p`: a move, with or without its number, and no word of prose
/// after it. This distinguishes a game without tags from text that is not PGN.
bool begins_movetext(const char* p, const char* end);

/// Counts the line ends (LF, CRLF, or CR alone) among the first `n` bytes.
std::uint64_t count_lines(std::string_view text, std::size_t n);

/// Returns the value of a tag pair as UTF-8, without escapes. Bytes that are not UTF-8 are read as
/// Windows-1252 (which includes Latin-1), the usual encoding of older files.
[[nodiscard]] std::string clean_value(std::string_view raw);
/// Returns false if clean_value() would return the same bytes.
bool needs_cleaning(std::string_view raw);

/// Returns a comment or a word of a variation as UTF-8: like clean_value(), but it has no escapes,
/// and line ends become LF.
[[nodiscard]] std::string clean_text(std::string_view raw);

/// The glyphs that end the word of a move, without check marks: "Nf3+!?" has "!?", "Nf3!+-" has "!"
/// and "+-". Empty if there are none.
struct MoveGlyphs {
    std::string_view mark;        // of ! and ?
    std::string_view evaluation;  // of + - = /
};
MoveGlyphs glyphs_of_move(std::string_view move);

/// Returns whether a word can be ignored. This is "e.p." after a move, in any spelling, also as two
/// words or with more text after it; no move begins like that. It is also the ellipsis between a
/// number and Black's move, in UTF-8 or Windows-1252.
inline bool is_aside(std::string_view word) {
    switch (word[0]) {
        case 'e': return word.starts_with("ep") || word.starts_with("e.p") || word == "e.";
        case 'p': return word == "p.";
        case '\x85': return word.size() == 1;
        case '\xE2': return word == "\u2026";
        default: return false;
    }
}

/// Returns whether the reader treats a word as a move: it is not a number, NAG, evaluation, result
/// or bracket, and is_aside() is false.
bool is_move_word(std::string_view word);

/// Whether a text between `{` and `}` is read back as one comment. kFits: braces in the text, if
/// any, come in pairs. kUnlessClosed: the text has a `{` without its `}`, so it fits unless the
/// next brace after the comment is a `}`. kNot: the text has other braces, or a line that begins a
/// game with a tag pair.
enum class BraceFit { kFits, kUnlessClosed, kNot };
BraceFit fit_braces(std::string_view text);

}  // namespace fendex::pgn
