// The lexical rules of PGN as people write it, in one place: Splitter and Reader both ask here, so
// they cannot disagree about what a comment, a tag pair or a result is. Pure functions over
// [p, end); none looks further ahead than kLookahead bytes from where it stands to decide anything,
// but for a game inside a comment (kPastedGame).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/typeset.hpp"

namespace fendex::pgn {

/// How far a decision may look ahead. The Splitter decides nothing with less than this in its
/// buffer (the end of the input excepted), so where its buffer ends cannot change the decision.
inline constexpr std::size_t kLookahead = 1024;
inline constexpr std::size_t kMaxTagName = 255;

constexpr bool is_newline(char c) { return c == '\n' || c == '\r'; }
/// NUL bytes are blanks: old database exports pad with them.
constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}
constexpr bool is_space(char c) { return is_blank(c) || is_newline(c); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_name_char(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// The no-break space and the soft hyphen of Windows-1252. In UTF-8 these bytes belong to other
/// characters: see is_inside_character().
constexpr bool is_single_blank(char c) { return c == '\xA0' || c == '\xAD'; }
/// Whether a blank or a symbol (see symbols.hpp) may begin at `c`, in UTF-8, or a blank in
/// Windows-1252; most letters and chessmen do not.
constexpr bool is_wide_lead(char c) {
    return c == '\xC2' || c == '\xE2' || c == '\xE3' || c == '\xEF' || is_single_blank(c);
}
/// The same, with the one symbol of Windows-1252, ±.
constexpr bool may_begin_symbol(char c) { return is_wide_lead(c) || c == '\xB1'; }
/// Whether a word of movetext ends before `c`, without a blank between them: the Splitter and the
/// Reader both skip over words by this table. A `(` or a byte beyond ASCII may go on with the word.
inline constexpr auto kWordEnd = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view(" \t\v\f\n\r\0{}[];$*()<>", 19)) {
        table[static_cast<unsigned char>(c)] = true;
    }
    for (std::size_t c = 0x80; c < table.size(); ++c) {
        table[c] = may_begin_symbol(static_cast<char>(c));
    }
    return table;
}();
inline bool may_end_word(char c) { return kWordEnd[static_cast<unsigned char>(c)]; }

/// Length of a blank beyond ASCII at `p`, where a character begins; 0 if there is none. It
/// separates tokens as a blank does.
inline std::size_t match_wide_blank(const char* p, const char* end) {
    if (p < end && is_single_blank(*p)) return 1;
    return base::wide_blank_length({p, static_cast<std::size_t>(end - p)});
}
/// Whether such a blank has no width.
constexpr bool is_invisible_blank(std::string_view blank) {
    return blank == "\xAD" || base::is_invisible(blank);
}
/// Whether the byte at `p` belongs to a character in UTF-8 that begins before it, at `begin` or
/// later.
bool is_inside_character(const char* begin, const char* p, const char* end);
/// match_wide_blank() at any byte of the text that begins at `begin`.
inline std::size_t match_wide_blank_within(const char* begin, const char* p, const char* end) {
    if (is_single_blank(*p) && is_inside_character(begin, p, end)) return 0;
    return match_wide_blank(p, end);
}
/// Behind the blanks at `p`, of any kind but line ends.
inline const char* skip_blanks(const char* p, const char* limit) {
    while (p < limit) {
        const std::size_t n = is_blank(*p) ? 1 : is_wide_lead(*p) ? match_wide_blank(p, limit) : 0;
        if (n == 0) break;
        p += n;
    }
    return p;
}

/// Length of the termination marker at `p` (1-0, 0-1, 1/2-1/2, 1/2, *, with any dash and ½), 0 if
/// there is none. What follows must end a token; around the dash there may be blanks. +-- and --+,
/// wins by forfeit, are markers if nothing of the game follows: before a move they are evaluations.
std::size_t match_result(const char* p, const char* end);
/// Length of what may be said of a game behind its result, at `p`: the result again, an evaluation
/// (+-, ±), a NAG; 0 if there is none.
std::size_t match_afterthought(const char* p, const char* end);
/// What match_result() found, as the PGN standard writes it.
std::string_view plain_result(std::string_view marker);

/// A tag pair's opening at `p`: `[`, a name, a quote. Blanks may stand between.
struct TagOpening {
    std::string_view name;        // empty: there is no tag pair here
    const char* value = nullptr;  // behind the opening quote
};
TagOpening match_tag(const char* p, const char* end);

/// Whether the quote at `quote` closes a tag value: only blanks and a `]` follow.
inline bool closes_tag(const char* quote, const char* end) {
    const char* limit = end - quote > 64 ? quote + 64 : end;
    const char* p = skip_blanks(quote + 1, limit);
    return p < limit && *p == ']';
}

/// Scans the value of a tag pair; resumable, since a value has no bound. It ends behind `"]`, or at
/// the end of the line where the writer forgot to close it. Quotes that nothing closes, and escaped
/// ones, belong to the value.
struct TagScan {
    bool escaped = false;  // the character before was a backslash that escapes the next
    enum class End { kMore, kClosed, kUnclosed };
    /// Advances `p`. kClosed: p is on the closing quote. kUnclosed: p is on the newline or the end.
    End scan(const char*& p, const char* stop, const char* end);
};

/// How far a comment that holds a line `[Event "...` is searched for its closing brace. A game with
/// its tag pairs, pasted into a comment, fits several times; an unclosed comment costs no more
/// games than these bytes hold without a brace. The Splitter waits until it has so many in its
/// buffer.
inline constexpr std::size_t kPastedGame = 16 * 1024;

/// Scans a brace comment; resumable. `}` ends it, except where it closes a brace opened inside:
/// that is so when an inner `{` was seen and another `}` comes before any `{`. A line at which a
/// game begins (see at_game_start) cuts off a comment that was never closed: that is so unless the
/// next brace, within kPastedGame bytes, closes.
struct CommentScan {
    enum class End {
        kMore,    // p reached `stop`; or stands at a line that needs more text to decide
        kClosed,  // p is behind the closing brace
        kCut,     // p is at the line that begins a game
    };
    unsigned inner = 0;
    /// Advances `p`, which starts behind the opening brace. `stop` is `end` at the end of the text.
    End scan(const char*& p, const char* stop, const char* end);
};

/// Whether a line that begins at `p` may start a game inside a comment.
inline bool at_game_start(const char* p, const char* end) {
    constexpr std::string_view kEvent = "[Event \"";
    return static_cast<std::size_t>(end - p) >= kEvent.size() &&
           std::memcmp(p, kEvent.data(), kEvent.size()) == 0;
}

/// Length of `(` at `p`, a piece's letter in any language, `)`, where they belong to a promotion,
/// e8(Q), rather than being a variation; else 0.
inline std::size_t match_promotion(const char* begin, const char* p, const char* end) {
    constexpr std::ptrdiff_t kMaxLetter = 6;  // a figurine and what says how it is drawn
    if (*p != '(' || p == begin || (p[-1] != '8' && p[-1] != '1') || end - p < 3) return 0;
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

/// Whether `)` at `p` closes what match_promotion() found.
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

/// Takes out of a word the parentheses, with what is in them, that are not a promotion's: with them
/// it would not be read as one word again.
inline void keep_promotions_only(std::string& word) {
    for (std::size_t at = 0; (at = word.find('(', at)) != word.npos;) {
        const char* const begin = word.data();
        const std::size_t n = match_promotion(begin, begin + at, begin + word.size());
        if (n != 0) {
            at += n;
        } else {
            const std::size_t close = word.find(')', at);
            word.erase(at, close == word.npos ? close : close + 1 - at);
        }
    }
}

/// Length of the markup at `p` (<br />, </p>), by which scores are laid out in web pages; 0 where
/// there is none. It separates tokens and means nothing.
std::size_t match_markup(const char* p, const char* end);

/// Length of the word at `p` if it could be a move (a square in it, castling, a null move), else 0.
std::size_t match_move(const char* p, const char* end);

/// Whether moves begin at `p`: a move, a number before it or not, and no word of prose behind it.
/// This tells a game without tags from text that is no PGN.
bool begins_movetext(const char* p, const char* end);

/// Line ends (LF, CRLF, or CR alone) among the first `n` bytes.
std::uint64_t count_lines(std::string_view text, std::size_t n);

/// The value of a tag pair as UTF-8: escapes undone; bytes that are no UTF-8 are taken as
/// Windows-1252 (of which Latin-1 is a part), which is what files from before UTF-8 hold.
std::string clean_value(std::string_view raw);
/// False where clean_value() would return the same bytes.
bool needs_cleaning(std::string_view raw);

/// A comment, or a word of a variation, as UTF-8: as clean_value() does it, but nothing is escaped
/// there, and line ends become LF.
std::string clean_text(std::string_view raw);

/// What stands behind a move in the same word, without check marks, as glyphs: "Nf3+!?" has "!?",
/// "Nf3!+-" has "!" and "+-". Empty where there is none.
struct MoveGlyphs {
    std::string_view mark;        // of ! and ?
    std::string_view evaluation;  // of + - = /
};
MoveGlyphs glyphs_of_move(std::string_view move);

/// Whether a word says nothing of its own: "e.p." behind a move, in any of its spellings and with
/// what follows it; or the ellipsis between a number and Black's move, in UTF-8 or Windows-1252.
/// No move begins like the former.
inline bool is_aside(std::string_view word) {
    switch (word[0]) {
        case 'e': return word.starts_with("ep") || word.starts_with("e.p");
        case '\x85': return word.size() == 1;
        case '\xE2': return word == "\u2026";
        default: return false;
    }
}

/// Whether a word, as the reader cuts them out, is read as a move: no number, NAG, evaluation,
/// result or bracket, and not aside.
bool is_move_word(std::string_view word);

/// How `{`, a text, `}` is read. Braces of the text may pair; one that opens and does not close
/// does no harm, unless the next brace behind the comment closes. All else that has braces does not
/// fit, nor does the line of a tag pair that begins a game.
enum class BraceFit { kFits, kUnlessClosed, kNot };
BraceFit fit_braces(std::string_view text);

}  // namespace fendex::pgn
