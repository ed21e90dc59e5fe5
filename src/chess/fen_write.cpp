// Writing FEN and EPD. This runs once per ply where rows are stored, so nothing is allocated. The
// placement goes from piece to piece: what stands between two of them is looked up, so that there
// is no branch to be guessed but the end of the loop.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "chess/fen.hpp"

namespace fendex::chess {

namespace {

constexpr char kLetters[] = "pPnNbBrRqQkK";  // in the order of Piece

/// What stands between two pieces in the placement field: "", "2", "/", "1/8/3". `after` counts the
/// squares of a rank up to and including the first piece, `squares` the empty ones up to the next;
/// a rank that ends has its slash.
class Gaps {
  public:
    struct Text {
        char characters[16]{};  // copied whole: a fixed length is one load and one store
        std::size_t length = 0;
    };

    constexpr Gaps() {
        for (unsigned after = 0; after <= 8; ++after) {
            for (unsigned squares = 0; squares <= 64 - after; ++squares) {
                texts_[after][squares] = spell(after, squares);
            }
        }
    }
    constexpr const Text& between(unsigned after, unsigned squares) const {
        return texts_[after][squares];
    }

  private:
    static constexpr Text spell(unsigned file, unsigned squares) {
        Text text;
        while (true) {
            const unsigned run = squares < 8 - file ? squares : 8 - file;
            if (run != 0) text.characters[text.length++] = static_cast<char>('0' + run);
            file += run;
            squares -= run;
            if (file < 8) return text;
            text.characters[text.length++] = '/';
            if (squares == 0) return text;
            file = 0;
        }
    }

    Text texts_[9][65];
};

constexpr Gaps kGaps;

char* write_placement(const Position& p, char* out) {
    unsigned after = 0;
    unsigned next = 0;
    for (Bitboard rest = __builtin_bswap64(p.occupied()); rest != 0;) {  // a8 first
        const Square s = pop_lowest(rest);
        const Gaps::Text& gap = kGaps.between(after, s - next);
        std::memcpy(out, gap.characters, sizeof gap.characters);
        out += gap.length;
        *out++ = kLetters[index(p.piece_on(s ^ 56U))];
        after = file_of(s) + 1;
        next = s + 1;
    }
    const Gaps::Text& gap = kGaps.between(after, 64 - next);
    std::memcpy(out, gap.characters, sizeof gap.characters);
    return out + gap.length - 1;  // but not the last slash
}

template <typename Board>
char* write_right(const Board& p, Color c, bool short_side, bool always_file, char* out) {
    const Square rook = rook_to_castle_with(p, c, short_side);
    if (rook == kNoSquare) return out;
    const Bitboard rooks = p.pieces(c, PieceType::kRook) & rank_mask(back_rank(c));
    const bool outermost = rook == (short_side ? highest(rooks) : lowest(rooks));
    const char file = static_cast<char>('a' + file_of(rook));
    const char letter = always_file || !outermost ? file : short_side ? 'k' : 'q';
    *out = c == Color::kWhite ? static_cast<char>(letter - 32) : letter;
    return out + 1;
}

template <typename Board>
char* write_castling(const Board& p, bool always_file, char* out) {
    if (p.castling_rooks() == 0) {
        *out = '-';
        return out + 1;
    }
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        out = write_right(p, c, true, always_file, out);
        out = write_right(p, c, false, always_file, out);
    }
    return out;
}

char* write_en_passant(Square s, char* out) {
    if (s == kNoSquare) {
        *out = '-';
        return out + 1;
    }
    *out++ = static_cast<char>('a' + file_of(s));
    *out++ = static_cast<char>('1' + rank_of(s));
    return out;
}

/// What follows the placement up to the en passant square, which is given.
template <typename Board>
char* write_state(const Board& p, bool always_file, Square en_passant, char* out) {
    *out++ = ' ';
    *out++ = p.side_to_move() == Color::kWhite ? 'w' : 'b';
    *out++ = ' ';
    out = write_castling(p, always_file, out);
    *out++ = ' ';
    return write_en_passant(en_passant, out);
}

/// The four fields, with the en passant square given.
char* write_fields(const Position& p, bool always_file, Square en_passant, char* out) {
    return write_state(p, always_file, en_passant, write_placement(p, out));
}

/// The en passant square as the dialect shows it.
template <typename Board>
Square shown_en_passant(const Board& p, FenDialect dialect) {
    const Square s = p.en_passant_square();
    if (s == kNoSquare) return s;
    switch (dialect) {
        case FenDialect::kLegal: return p.en_passant_is_legal() ? s : kNoSquare;
        case FenDialect::kXfen: {
            const Color us = p.side_to_move();
            const Bitboard capturers = pawn_attacks(~us, s) & p.pieces(us, PieceType::kPawn);
            return capturers != 0 ? s : kNoSquare;
        }
        case FenDialect::kStandard:
        case FenDialect::kShredder: break;
    }
    return s;
}

char* write_number(unsigned number, char* out) {
    constexpr std::size_t kDigits = 10;
    return std::to_chars(out, out + kDigits, number).ptr;
}

/// The placement with promoted pieces marked, and with the pockets: as a ninth rank, or in
/// brackets.
char* write_placement(const VariantPosition& p, bool brackets, char* out) {
    for (unsigned rank = 8; rank-- > 0;) {
        unsigned empty = 0;
        for (unsigned file = 0; file < 8; ++file) {
            const Square s = make_square(file, rank);
            if (p.piece_on(s) == Piece::kNone) {
                ++empty;
                continue;
            }
            if (empty != 0) *out++ = static_cast<char>('0' + empty);
            empty = 0;
            *out++ = kLetters[index(p.piece_on(s))];
            if ((p.promoted() & bit(s)) != 0) *out++ = '~';
        }
        if (empty != 0) *out++ = static_cast<char>('0' + empty);
        if (rank != 0) *out++ = '/';
    }
    if (p.variant() != Variant::kCrazyhouse) return out;
    *out++ = brackets ? '[' : '/';
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        for (unsigned t = index(PieceType::kKing); t-- > 0;) {
            const auto type = static_cast<PieceType>(t);
            for (unsigned i = p.pocket(c, type); i-- > 0;) {
                *out++ = kLetters[index(make_piece(c, type))];
            }
        }
    }
    if (brackets) *out++ = ']';
    return out;
}

char digit(unsigned number) { return static_cast<char>('0' + number); }

/// " +0+2"; nothing but in Three-check.
char* write_checks_given(const VariantPosition& p, char* out) {
    if (p.variant() != Variant::kThreeCheck) return out;
    *out++ = ' ';
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        *out++ = '+';
        *out++ = digit(p.checks_given(c));
    }
    return out;
}

/// " 3+1"; nothing but in Three-check.
char* write_checks_left(const VariantPosition& p, char* out) {
    if (p.variant() != Variant::kThreeCheck) return out;
    const auto left = [&](Color c) { return digit(3 - std::min(p.checks_given(c), 3U)); };
    *out++ = ' ';
    *out++ = left(Color::kWhite);
    *out++ = '+';
    *out++ = left(Color::kBlack);
    return out;
}

template <typename Board>
char* write_clocks(const Board& p, char* out) {
    *out++ = ' ';
    out = write_number(p.halfmove_clock(), out);
    *out++ = ' ';
    return write_number(p.fullmove_number(), out);
}

}  // namespace

char* write_fen(const Position& p, FenDialect dialect, char* out) {
    out = write_fields(p, dialect == FenDialect::kShredder, shown_en_passant(p, dialect), out);
    return write_clocks(p, out);
}

char* write_epd(const Position& p, FenDialect dialect, char* out) {
    return write_fields(p, dialect == FenDialect::kShredder,
                        shown_en_passant(p, FenDialect::kLegal), out);
}

char* write_epd(const Position& p, char* out) { return write_epd(p, FenDialect::kStandard, out); }

char* write_fen(const VariantPosition& p, FenDialect dialect, char* out) {
    const bool legal = dialect == FenDialect::kLegal;
    out = write_placement(p, legal, out);
    out = write_state(p, dialect == FenDialect::kShredder, shown_en_passant(p, dialect), out);
    if (legal) out = write_checks_left(p, out);
    out = write_clocks(p, out);
    return legal ? out : write_checks_given(p, out);
}

char* write_epd(const VariantPosition& p, FenDialect dialect, char* out) {
    const bool legal = dialect == FenDialect::kLegal;
    out = write_placement(p, legal, out);
    out = write_state(p, dialect == FenDialect::kShredder, shown_en_passant(p, FenDialect::kLegal),
                      out);
    return legal ? write_checks_left(p, out) : write_checks_given(p, out);
}

char* write_epd(const VariantPosition& p, char* out) {
    return write_epd(p, FenDialect::kStandard, out);
}

std::string to_fen(const Position& position, FenDialect dialect) {
    char buffer[kMaxFenLength];
    return {buffer, write_fen(position, dialect, buffer)};
}

std::string to_fen(const VariantPosition& position, FenDialect dialect) {
    char buffer[kMaxFenLength];
    return {buffer, write_fen(position, dialect, buffer)};
}

std::string to_epd(const VariantPosition& position) {
    char buffer[kMaxFenLength];
    return {buffer, write_epd(position, buffer)};
}

std::string to_epd(const Position& position) {
    char buffer[kMaxFenLength];
    return {buffer, write_epd(position, buffer)};
}

}  // namespace fendex::chess
