#include "chess/san_word.hpp"

#include <algorithm>

#include "base/typeset.hpp"
#include "chess/san_language.hpp"

namespace fendex::chess {

namespace {

constexpr bool is_file(char c) { return c >= 'a' && c <= 'h'; }
constexpr bool is_rank(char c) { return c >= '1' && c <= '8'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// Marks stand here as UTF-8 has them and, behind those, in the bytes of older code pages:
// Windows-1250 and its kin, and for Cyrillic also KOI8-R and code page 866.

/// Length of the one of `texts` that `s` begins with; 0 where there is none.
template <std::size_t N>
std::size_t match(std::string_view s, const std::array<std::string_view, N>& texts) {
    if (s.empty()) return 0;
    for (const std::string_view text : texts) {
        // Most differ in their first byte.
        if (s[0] == text[0] && s.starts_with(text)) return text.size();
    }
    return 0;
}

std::size_t dash_length(std::string_view s) {
    if (!s.empty() && (s[0] == '\x96' || s[0] == '\x97')) return 1;
    return base::dash_length(s);
}
std::size_t capture_length(std::string_view s) {
    constexpr auto kCaptures = std::to_array<std::string_view>({"x", ":", "X", "×", "\xD7"});
    return match(s, kCaptures);
}
std::size_t dagger_length(std::string_view s) {
    constexpr auto kDaggers = std::to_array<std::string_view>({"†", "‡", "\x86", "\x87"});
    return match(s, kDaggers);
}

/// Words for check, and what is said of the check.
constexpr auto kCheckWords =
    std::to_array<std::string_view>({"dblch", "disch", "dbl", "dis", "check", "ch"});
constexpr auto kMateWords = std::to_array<std::string_view>(
    {"matto", "mate", "matt", "mat", "mt", "мат", "\xEC\xE0\xF2", "\xCD\xC1\xD4", "\xAC\xA0\xE2"});
constexpr auto kEnPassant = std::to_array<std::string_view>({"e.p.", "e.p", "ep.", "ep"});

/// Length of what begins `s`, a byte that is no ASCII: of a character in UTF-8, or one byte.
std::size_t character_length(std::string_view s) {
    const auto byte = static_cast<unsigned char>(s[0]);
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    if (length > s.size()) return 1;
    const bool whole = std::all_of(s.begin() + 1, s.begin() + static_cast<std::ptrdiff_t>(length),
                                   [](char c) { return (c & 0xC0) == 0x80; });
    return whole ? length : 1;
}

/// A letter of a piece, at the start of `s`: an upper-case letter, or all that is no ASCII up to
/// what means something else.
std::string_view letter_at(std::string_view s) {
    if (s.empty()) return {};
    if (is_upper(s[0])) return s.substr(0, 1);
    std::size_t n = 0;
    while (n < s.size() && is_high(s[n]) && dash_length(s.substr(n)) == 0 &&
           capture_length(s.substr(n)) == 0 && dagger_length(s.substr(n)) == 0) {
        n += character_length(s.substr(n));
    }
    return s.substr(0, n);
}

/// Behind a figurine there may be a selector of how it is drawn.
std::string_view without_selector(std::string_view letter) {
    for (const std::string_view selector : {"\uFE0E", "\uFE0F"}) {
        if (letter.size() > selector.size() && letter.ends_with(selector)) {
            letter.remove_suffix(selector.size());
        }
    }
    return letter;
}

/// Of one lower-case letter, the upper-case one.
std::string_view upper_case(std::string_view letter) {
    constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (letter.size() != 1 || letter[0] < 'a' || letter[0] > 'z') return letter;
    return kUpper.substr(static_cast<std::size_t>(letter[0] - 'a'), 1);
}

/// The O's of castling at the start of `s`, which are removed, with what joins them; 0 where there
/// are neither two nor three.
unsigned take_castling(std::string_view& s) {
    constexpr auto kOs = std::to_array<std::string_view>(
        {"O", "0", "o", "О", "о", "Ο", "\xCE", "\xEE", "\xEF", "\xCF", "\x8E", "\xAE"});
    std::string_view rest = s;
    unsigned count = 0;
    while (true) {
        if (const std::size_t n = match(rest, kOs); n != 0) {
            rest.remove_prefix(n);
            ++count;
        } else if (const std::size_t dash = dash_length(rest); dash != 0) {
            rest.remove_prefix(dash);
        } else {
            break;
        }
    }
    if (count != 2 && count != 3) return 0;
    s = rest;
    return count;
}

/// What stands behind a move in the same word. False where it is nothing that is known.
bool read_tail(std::string_view s, SanWord& word) {
    while (!s.empty()) {
        std::size_t n = 1;
        const bool evaluation = s.find_first_not_of("+-=/") == s.npos && s != "+" && s != "++";
        if (s[0] == '!' || s[0] == '?' || evaluation) {
            word.glyphs = s;
            return true;
        }
        if (s[0] == '+') {
            if (word.check == 0) word.check = '+';
        } else if (s[0] == '#') {
            word.check = '#';
        } else if (n = capture_length(s); n != 0) {
            word.capture = true;
        } else if (n = match(s, kEnPassant); n != 0) {
            word.capture = true;
        } else if (n = match(s, kMateWords); n != 0) {
            word.check = '#';
        } else if (n = std::max(dagger_length(s), match(s, kCheckWords)); n != 0) {
            word.check = '+';
        } else if (s[0] == '.') {
            n = 1;
        } else {
            return false;
        }
        s.remove_prefix(n);
    }
    return true;
}

/// Whether what follows a square cannot belong to another: "ch", "ep", or "e.p.".
bool begins_tail(std::string_view s) {
    return match(s, kCheckWords) != 0 || match(s, kEnPassant) != 0;
}

/// At a square of the last rank: =D, D, (D), /D, d. Removes it from `s`; false where it is broken.
bool take_promotion(std::string_view& s, SanWord& word) {
    std::string_view rest = s;
    const bool parenthesis = !rest.empty() && rest[0] == '(';
    const bool sign = parenthesis || (!rest.empty() && (rest[0] == '=' || rest[0] == '/'));
    if (sign) rest.remove_prefix(1);
    std::string_view letter = letter_at(rest);
    if (letter.empty() && !rest.empty() && rest[0] >= 'a' && rest[0] <= 'z') {
        const bool last = rest.size() == 1 || !(rest[1] >= 'a' && rest[1] <= 'z');
        if (last && capture_length(rest) == 0) letter = rest.substr(0, 1);
    }
    if (letter.empty()) return !sign;
    rest.remove_prefix(letter.size());
    if (parenthesis && !rest.empty() && rest[0] == ')') rest.remove_prefix(1);
    word.promotion = upper_case(without_selector(letter));
    word.in_parentheses = parenthesis;
    s = rest;
    return true;
}

/// What some write before a move: an ellipsis instead of dots, a blank that does not break.
std::string_view without_lead(std::string_view text) {
    constexpr auto kLeads =
        std::to_array<std::string_view>({"…", "\u00A0", "\u202F", "\x85", "\xA0"});
    while (const std::size_t n = match(text, kLeads)) text.remove_prefix(n);
    return text;
}

/// What is said of a move behind it: "ch", "mate!", "†".
bool take_remark(std::string_view text, SanWord& word) {
    if (text.empty() || text[0] == '!' || text[0] == '?') return false;
    // So most moves begin, and no remark does.
    if (is_upper(text[0]) || (text.size() > 1 && is_rank(text[1]))) return false;
    SanWord remark;
    if (!read_tail(text, remark) || remark.capture || remark.check == 0) return false;
    word.kind = SanWord::Kind::kRemark;
    word.glyphs = remark.glyphs;
    return true;
}

/// The files and ranks of a move behind its piece; what is left of `s` follows the last square.
bool take_squares(std::string_view& s, SanWord& word) {
    while (!s.empty()) {
        const char c = s[0];
        const bool complete = word.to_file != SanWord::kAny && word.to_rank != SanWord::kAny;
        std::size_t n = 1;
        if (is_file(c)) {
            if ((complete || word.from_file != SanWord::kAny) && begins_tail(s)) break;
            const bool last_rank = word.to_rank == '1' || word.to_rank == '8';
            const bool followed =
                s.size() > 1 && (is_file(s[1]) || is_rank(s[1]) || capture_length(s.substr(1)) ||
                                 dash_length(s.substr(1)));
            if (complete && last_rank && !followed) break;  // e7e8b: a promotion
            if (word.to_file != SanWord::kAny || word.to_rank != SanWord::kAny) {
                if (word.from_file != SanWord::kAny || word.from_rank != SanWord::kAny)
                    return false;
                word.from_file = word.to_file;
                word.from_rank = word.to_rank;
                word.to_rank = SanWord::kAny;
            }
            word.to_file = c;
        } else if (is_rank(c)) {
            if (word.to_rank != SanWord::kAny) return false;
            word.to_rank = c;
        } else if (n = capture_length(s); n != 0) {
            word.capture = true;
        } else if (n = dash_length(s); n == 0) {
            break;
        }
        s.remove_prefix(n);
    }
    return true;
}

bool take_move(std::string_view s, SanWord& word) {
    const std::string_view letter = letter_at(s);
    s.remove_prefix(letter.size());
    word.piece = without_selector(letter);
    if (s.starts_with('@')) {
        word.kind = SanWord::Kind::kDrop;
        s.remove_prefix(1);
    }
    if (!take_squares(s, word)) return false;
    if (word.kind == SanWord::Kind::kDrop) {
        return word.to_rank != SanWord::kAny && word.from_file == SanWord::kAny &&
               read_tail(s, word);
    }
    if (word.to_file == SanWord::kAny) return false;
    if (word.to_rank == SanWord::kAny) {
        const int step = word.from_file - word.to_file;
        if (!letter.empty() || word.from_rank != SanWord::kAny || (step != 1 && step != -1)) {
            return false;
        }
        word.kind = SanWord::Kind::kPawnFiles;
        word.capture = true;
    } else {
        word.kind = SanWord::Kind::kMove;
    }
    const bool may_promote =
        word.kind == SanWord::Kind::kPawnFiles || word.to_rank == '1' || word.to_rank == '8';
    if (may_promote && !begins_tail(s) && match(s, kMateWords) == 0 && !take_promotion(s, word)) {
        return false;
    }
    return read_tail(s, word);
}

}  // namespace

SanWord read_san_word(std::string_view text) {
    using Kind = SanWord::Kind;
    text = without_lead(text);
    SanWord word;
    if (text == "--" || text == "Z0" || text == "@@@@" || text == "0000" || text == "null") {
        word.kind = Kind::kNull;
        return word;
    }
    std::string_view rest = text;
    if (const unsigned rooks = take_castling(rest); rooks != 0) {
        if (read_tail(rest, word)) word.kind = rooks == 2 ? Kind::kCastleShort : Kind::kCastleLong;
        return word;
    }
    if (take_remark(text, word)) return word;
    if (!take_move(text, word)) return {};
    return word;
}

EnglishSan::EnglishSan(const SanWord& word, const SanAlphabet& alphabet, char to_rank) {
    using Kind = SanWord::Kind;
    constexpr std::string_view kLetters = "PNBRQK";
    const auto letter = [&](std::string_view written) {
        const PieceType type = alphabet.piece(written);
        return type == PieceType::kNone ? SanWord::kAny : kLetters[index(type)];
    };
    switch (word.kind) {
        case Kind::kUnknown:
        case Kind::kRemark: return;
        case Kind::kNull:
            for (const char c : std::string_view("--")) put(c);
            return;
        case Kind::kCastleShort:
        case Kind::kCastleLong:
            for (const char c : std::string_view("O-O")) put(c);
            if (word.kind == Kind::kCastleLong) {
                for (const char c : std::string_view("-O")) put(c);
            }
            put(word.check);
            return;
        case Kind::kMove:
        case Kind::kPawnFiles:
        case Kind::kDrop: break;
    }
    if (word.kind == Kind::kPawnFiles && to_rank == SanWord::kAny) return;
    const char piece = word.piece.empty() ? SanWord::kAny : letter(word.piece);
    if (!word.piece.empty() && piece == SanWord::kAny) return;
    const bool pawn = piece == SanWord::kAny || piece == 'P';
    char promotion = SanWord::kAny;
    if (pawn && !word.promotion.empty()) {
        promotion = letter(word.promotion);
        if (promotion == SanWord::kAny) return;
    } else if (!word.promotion.empty() && !word.in_parentheses) {
        return;  // else "Td8(D)": a sign that a diagram follows
    }
    put(piece);
    if (word.kind == Kind::kDrop) put('@');
    put(word.from_file);
    put(word.from_rank);
    if (word.capture) put('x');
    put(word.to_file);
    put(word.kind == Kind::kPawnFiles ? to_rank : word.to_rank);
    if (promotion != SanWord::kAny) {
        put('=');
        put(promotion);
    }
    put(word.check);
}

}  // namespace fendex::chess
