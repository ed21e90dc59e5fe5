#include "chess/san_word.hpp"

#include <algorithm>

#include "base/typeset.hpp"
#include "chess/fen_text.hpp"
#include "chess/san_language.hpp"
#include "chess/san_lexer.hpp"

namespace fendex::chess {

namespace {

using fen_text::is_upper;
using san::is_file;
using san::is_rank;

constexpr bool is_high(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// Marks are listed in UTF-8 first, then in the bytes of older code pages: Windows-1250 and its
// relatives, and for Cyrillic also KOI8-R and code page 866.

/// Returns the length of the first of `texts` that `s` begins with; 0 if there is none.
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

/// Words for check and mate.
constexpr auto kCheckWords =
    std::to_array<std::string_view>({"dblch", "disch", "dbl", "dis", "check", "ch"});
constexpr auto kMateWords = std::to_array<std::string_view>(
    {"matto", "mate", "matt", "mat", "mt", "мат", "\xEC\xE0\xF2", "\xCD\xC1\xD4", "\xAC\xA0\xE2"});
constexpr auto kEnPassant = std::to_array<std::string_view>({"e.p.", "e.p", "ep.", "ep"});

/// Returns the length in bytes of the character at the start of `s`, which must not be ASCII.
/// Returns 1 if it is not UTF-8.
std::size_t character_length(std::string_view s) {
    const auto byte = static_cast<unsigned char>(s[0]);
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1;
    if (length > s.size()) return 1;
    const bool whole = std::all_of(s.begin() + 1, s.begin() + static_cast<std::ptrdiff_t>(length),
                                   [](char c) { return (c & 0xC0) == 0x80; });
    return whole ? length : 1;
}

/// Returns the piece letter at the start of `s`: an ASCII capital, or all characters beyond ASCII
/// before a dash, a capture sign or a dagger.
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

/// Returns a figurine without the variation selector that may follow it.
std::string_view without_selector(std::string_view letter) {
    for (const std::string_view selector : {"\uFE0E", "\uFE0F"}) {
        if (letter.size() > selector.size() && letter.ends_with(selector)) {
            letter.remove_suffix(selector.size());
        }
    }
    return letter;
}

/// Returns an ASCII letter in upper case; anything else unchanged.
std::string_view upper_case(std::string_view letter) {
    constexpr std::string_view kUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (letter.size() != 1 || letter[0] < 'a' || letter[0] > 'z') return letter;
    return kUpper.substr(static_cast<std::size_t>(letter[0] - 'a'), 1);
}

/// Reads what follows a move in the same word: check marks, remarks, glyphs. False if there is
/// anything else.
bool read_tail(std::string_view s, SanWord& word, SanMove& move) {
    while (!s.empty()) {
        std::size_t n = 1;
        const bool evaluation =
            s.find_first_not_of("+-=/") == std::string_view::npos && s != "+" && s != "++";
        if (s[0] == '!' || s[0] == '?' || evaluation) {
            word.glyphs = s;
            return true;
        }
        if (s[0] == '+') {
            if (word.check == 0) word.check = '+';
        } else if (n = std::max(capture_length(s), match(s, kEnPassant)); n != 0) {
            move.capture = true;
        } else if (n = s[0] == '#' ? 1 : match(s, kMateWords); n != 0) {
            word.check = '#';
        } else if (n = std::max(dagger_length(s), match(s, kCheckWords)); n != 0) {
            word.check = '+';
        } else if (s[0] == '.' || s.starts_with("=!") || s.starts_with("=?")) {
            n = 1;
        } else {
            return false;
        }
        s.remove_prefix(n);
    }
    return true;
}

/// Returns whether the text after a square is "ch", "ep" or "e.p.", so that its letter is not the
/// file of another square.
bool begins_tail(std::string_view s) {
    return match(s, kCheckWords) != 0 || match(s, kEnPassant) != 0;
}

/// Any language, in UTF-8 or an older code page: a Script of san_lexer.hpp.
class AnyScript {
  public:
    /// `word` receives the parts that a SanMove has no place for.
    explicit AnyScript(SanWord& word) : word_(word) {}

    static std::size_t castling_length(std::string_view s) {
        constexpr auto kOs = std::to_array<std::string_view>(
            {"O", "0", "o", "О", "о", "Ο", "\xCE", "\xEE", "\xEF", "\xCF", "\x8E", "\xAE"});
        return match(s, kOs);
    }
    static std::size_t dash_length(std::string_view s) { return chess::dash_length(s); }
    static std::size_t capture_length(std::string_view s) { return chess::capture_length(s); }
    /// Every letter, even O, is a piece's letter in some language.
    static bool begins_plainly(char) { return false; }
    static bool ends_squares(std::string_view s, const san::Squares& squares) {
        const bool begun = squares.complete() || squares.from_file != SanMove::kAny;
        if (begun && begins_tail(s)) return true;
        if (!squares.complete() || !squares.on_last_rank()) return false;
        const std::string_view next = s.substr(1);
        const bool followed =
            !next.empty() && (is_file(next[0]) || is_rank(next[0]) || capture_length(next) != 0 ||
                              dash_length(next) != 0);
        return !followed;  // e7e8b: a promotion
    }

    SanError take_piece(std::string_view& s, SanMove& move) {
        const std::string_view letter = letter_at(s);
        s.remove_prefix(letter.size());
        word_.piece = without_selector(letter);
        move.names_piece = !letter.empty();
        if (s.starts_with('@')) {
            move.kind = SanMove::Kind::kDrop;
            s.remove_prefix(1);
        }
        return SanError::kNone;
    }

    SanError take_rest(std::string_view s, SanMove& move) {
        if (move.to_file == SanMove::kAny) return SanError::kNoTarget;
        if (move.kind == SanMove::Kind::kDrop) {
            const bool only_target =
                move.to_rank != SanMove::kAny && move.from_file == SanMove::kAny;
            return only_target ? take_tail(s, move) : SanError::kNoTarget;
        }
        if (move.to_rank == SanMove::kAny) {
            const int step = move.from_file - move.to_file;
            const bool beside = move.from_file != SanMove::kAny && (step == 1 || step == -1);
            if (move.names_piece || move.from_rank != SanMove::kAny || !beside) {
                return SanError::kNoTarget;
            }
            move.capture = true;
        }
        if (s.starts_with(' ')) s.remove_prefix(1);  // e8 =Q, e8 (Q)
        const bool may_promote =
            move.to_rank == SanMove::kAny || move.to_rank == 0 || move.to_rank == 7;
        if (may_promote && !begins_tail(s) && match(s, kMateWords) == 0 && !take_promotion(s) &&
            !(move.names_piece && s.starts_with('='))) {  // Re1=: a remark or a draw offer
            return SanError::kBadPromotion;
        }
        return take_tail(s, move);
    }

    SanError take_tail(std::string_view s, SanMove& move) {
        return read_tail(s, word_, move) ? SanError::kNone : SanError::kUnknownCharacter;
    }

  private:
    bool take_promotion(std::string_view& s);

    SanWord& word_;
};

/// Removes =D, = D, D, (D), =(D), /D or d from `s`; false if it is broken.
bool AnyScript::take_promotion(std::string_view& s) {
    std::string_view rest = s;
    if (rest.starts_with("=(")) rest.remove_prefix(1);
    const bool parenthesis = rest.starts_with('(');
    const bool sign = parenthesis || rest.starts_with('=') || rest.starts_with('/');
    if (sign) rest.remove_prefix(1);
    if (sign && rest.starts_with(' ')) rest.remove_prefix(1);
    std::string_view letter = letter_at(rest);
    if (letter.empty() && !rest.empty() && rest[0] >= 'a' && rest[0] <= 'z') {
        const bool last = rest.size() == 1 || !(rest[1] >= 'a' && rest[1] <= 'z');
        if (last && capture_length(rest) == 0) letter = rest.substr(0, 1);
    }
    if (letter.empty()) return !sign;
    rest.remove_prefix(letter.size());
    if (parenthesis && rest.starts_with(')')) rest.remove_prefix(1);
    word_.promotion = upper_case(without_selector(letter));
    word_.in_parentheses = parenthesis;
    s = rest;
    return true;
}

/// Returns the text without the ellipsis or no-break space that some write before a move.
std::string_view without_lead(std::string_view text) {
    constexpr auto kLeads =
        std::to_array<std::string_view>({"…", "\u00A0", "\u202F", "\x85", "\xA0"});
    while (const std::size_t n = match(text, kLeads)) text.remove_prefix(n);
    return text;
}

/// Reads a remark that follows a move: "ch", "mate!", "†".
bool take_remark(std::string_view text, SanWord& word) {
    if (text.empty() || text[0] == '!' || text[0] == '?') return false;
    // Most moves begin like this, and no remark does.
    if (is_upper(text[0]) || (text.size() > 1 && is_rank(text[1]))) return false;
    SanWord remark;
    if (!read_tail(text, remark, remark.move) || remark.move.capture || remark.check == 0) {
        return false;
    }
    word.kind = SanWord::Kind::kRemark;
    word.glyphs = remark.glyphs;
    return true;
}

/// Translates a word's letters to pieces. False if the word is not a move or the alphabet lacks a
/// letter.
bool translate(const SanWord& word, const SanAlphabet& alphabet, SanMove& out) {
    if (word.kind != SanWord::Kind::kMove) return false;
    out = word.move;
    if (!word.piece.empty()) {
        out.piece = alphabet.piece(word.piece);
        if (out.piece == PieceType::kNone) return false;
    }
    if (word.promotion.empty()) return true;
    // "Td8(D)": the letter says that a diagram follows.
    if (out.piece != PieceType::kPawn) return word.in_parentheses;
    out.promotion = alphabet.piece(word.promotion);
    return out.promotion != PieceType::kNone;
}

constexpr char file_letter(std::uint8_t file) { return static_cast<char>('a' + file); }
constexpr char rank_digit(std::uint8_t rank) { return static_cast<char>('1' + rank); }

}  // namespace

SanWord read_san_word(std::string_view text) {
    text = without_lead(text);
    SanWord word;
    if (take_remark(text, word)) return word;
    AnyScript script(word);
    if (san::read_move(text, script, word.move) != SanError::kNone) return {};
    word.kind = SanWord::Kind::kMove;
    return word;
}

template <Board B>
SanError read_san(const B& position, const SanWord& word, const SanAlphabet& alphabet, Move& out) {
    if (position.is_over()) return SanError::kGameOver;
    SanMove move;
    if (!translate(word, alphabet, move)) return SanError::kUnknownCharacter;
    // SAN names a pawn's capture by its file and a drop by its target only: ":e4" is neither.
    const bool target_only =
        move.kind == SanMove::Kind::kDrop || (move.kind == SanMove::Kind::kPiece &&
                                              !move.names_piece && move.from_file == SanMove::kAny);
    if (target_only && (move.capture || move.from_rank != SanMove::kAny)) {
        return SanError::kUnknownCharacter;
    }
    if (move.promotion == PieceType::kPawn ||
        (std::same_as<B, Position> && move.promotion == PieceType::kKing)) {
        return SanError::kBadPromotion;
    }
    return resolve_san(position, move, out);
}

template SanError read_san(const Position&, const SanWord&, const SanAlphabet&, Move&);
template SanError read_san(const VariantPosition&, const SanWord&, const SanAlphabet&, Move&);

EnglishSan::EnglishSan(const SanWord& word, const SanAlphabet& alphabet) {
    constexpr std::string_view kLetters = "PNBRQK";
    SanMove move;
    if (!translate(word, alphabet, move)) return;
    switch (move.kind) {
        case SanMove::Kind::kNull: put("--"); return;
        case SanMove::Kind::kCastleShort: put("O-O"); break;
        case SanMove::Kind::kCastleLong: put("O-O-O"); break;
        case SanMove::Kind::kPiece:
        case SanMove::Kind::kDrop:
            if (move.to_rank == SanMove::kAny) return;
            if (move.names_piece) put(kLetters[index(move.piece)]);
            if (move.kind == SanMove::Kind::kDrop) put('@');
            if (move.from_file != SanMove::kAny) put(file_letter(move.from_file));
            if (move.from_rank != SanMove::kAny) put(rank_digit(move.from_rank));
            if (move.capture) put('x');
            put(file_letter(move.to_file));
            put(rank_digit(move.to_rank));
            if (move.promotion != PieceType::kNone) {
                put('=');
                put(kLetters[index(move.promotion)]);
            }
            break;
    }
    if (word.check != 0) put(word.check);
}

}  // namespace fendex::chess
