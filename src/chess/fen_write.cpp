// Writing FEN and EPD. This runs once per ply when ply rows are stored, so nothing is allocated.
// The placement is written piece by piece. The text between two pieces is looked up, so that the
// end of the loop is the only branch.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "chess/fen.hpp"

namespace fendex::chess {

namespace {

/// The text between two pieces of the placement field: "", "2", "/", "1/8/3". `after` counts the
/// squares of a rank up to and including the first piece, `squares` the empty ones before the next
/// piece. Each end of a rank adds a slash.
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

template <Board B>
char* write_placement(const B& p, char* out) {
    unsigned after = 0;
    unsigned next = 0;
    for (Bitboard rest = __builtin_bswap64(p.occupied()); rest != 0;) {  // a8 first
        const Square s = pop_lowest(rest);
        const Gaps::Text& gap = kGaps.between(after, s - next);
        std::memcpy(out, gap.characters, sizeof gap.characters);
        out += gap.length;
        *out++ = kFenLetters[index(p.piece_on(s ^ 56U))];
        if constexpr (std::same_as<B, VariantPosition>) {
            if ((p.promoted() & bit(s ^ 56U)) != 0) *out++ = '~';
        }
        after = file_of(s) + 1;
        next = s + 1;
    }
    const Gaps::Text& gap = kGaps.between(after, 64 - next);
    std::memcpy(out, gap.characters, sizeof gap.characters);
    return out + gap.length - 1;  // without the last slash
}

template <Board B>
char* write_right(const B& p, Color c, bool short_side, bool always_file, char* out) {
    const Square rook = rook_to_castle_with(p, c, short_side);
    if (rook == kNoSquare) return out;
    const Bitboard rooks = p.pieces(c, PieceType::kRook) & rank_mask(back_rank(c));
    const bool outermost = rook == (short_side ? highest(rooks) : lowest(rooks));
    const char file = static_cast<char>('a' + file_of(rook));
    const char letter = always_file || !outermost ? file : short_side ? 'k' : 'q';
    *out = c == Color::kWhite ? static_cast<char>(letter - 32) : letter;
    return out + 1;
}

template <Board B>
char* write_castling(const B& p, bool always_file, char* out) {
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

/// Writes the fields between the placement and the end of the given en passant square.
template <Board B>
char* write_state(const B& p, bool always_file, Square en_passant, char* out) {
    *out++ = ' ';
    *out++ = p.side_to_move() == Color::kWhite ? 'w' : 'b';
    *out++ = ' ';
    out = write_castling(p, always_file, out);
    *out++ = ' ';
    return write_en_passant(en_passant, out);
}

/// Returns the en passant square that the dialect shows.
template <Board B>
Square shown_en_passant(const B& p, FenDialect dialect) {
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

char digit(unsigned number) { return static_cast<char>('0' + number); }

/// The following functions write what only variants have: pockets after the placement, counts of
/// checks after the en passant square or after the clocks. For the standard board they write
/// nothing.
char* write_pockets(const Position&, FenDialect, char* out) { return out; }
char* write_checks_left(const Position&, FenDialect, char* out) { return out; }
char* write_checks_given(const Position&, FenDialect, char* out) { return out; }

/// Writes pockets as a ninth rank, or in brackets.
char* write_pockets(const VariantPosition& p, FenDialect dialect, char* out) {
    if (!p.rules().drops) return out;
    const bool brackets = dialect == FenDialect::kLegal;
    *out++ = brackets ? '[' : '/';
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        for (unsigned t = index(PieceType::kKing); t-- > 0;) {
            const auto type = static_cast<PieceType>(t);
            for (unsigned i = p.pocket(c, type); i-- > 0;) {
                *out++ = kFenLetters[index(make_piece(c, type))];
            }
        }
    }
    if (brackets) *out++ = ']';
    return out;
}

/// Writes " 3+1".
char* write_checks_left(const VariantPosition& p, FenDialect dialect, char* out) {
    if (!p.rules().counts_checks || dialect != FenDialect::kLegal) return out;
    const auto left = [&](Color c) {
        return digit(kChecksToWin - std::min(p.checks_given(c), kChecksToWin));
    };
    *out++ = ' ';
    *out++ = left(Color::kWhite);
    *out++ = '+';
    *out++ = left(Color::kBlack);
    return out;
}

/// Writes " +0+2".
char* write_checks_given(const VariantPosition& p, FenDialect dialect, char* out) {
    if (!p.rules().counts_checks || dialect == FenDialect::kLegal) return out;
    *out++ = ' ';
    for (const Color c : {Color::kWhite, Color::kBlack}) {
        *out++ = '+';
        *out++ = digit(p.checks_given(c));
    }
    return out;
}

/// Writes all fields up to the checks left, with `shown` as the en passant square.
template <Board B>
char* write_fields(const B& p, FenDialect dialect, FenDialect shown, char* out) {
    out = write_pockets(p, dialect, write_placement(p, out));
    out = write_state(p, dialect == FenDialect::kShredder, shown_en_passant(p, shown), out);
    return write_checks_left(p, dialect, out);
}

char* write_number(unsigned number, char* out) {
    constexpr std::size_t kDigits = 10;
    return std::to_chars(out, out + kDigits, number).ptr;
}

}  // namespace

template <Board B>
char* write_fen(const B& p, FenDialect dialect, char* out) {
    out = write_fields(p, dialect, dialect, out);
    *out++ = ' ';
    out = write_number(p.halfmove_clock(), out);
    *out++ = ' ';
    out = write_number(p.fullmove_number(), out);
    return write_checks_given(p, dialect, out);
}

template <Board B>
char* write_epd(const B& p, FenDialect dialect, char* out) {
    return write_checks_given(p, dialect, write_fields(p, dialect, FenDialect::kLegal, out));
}

template char* write_fen(const Position&, FenDialect, char*);
template char* write_fen(const VariantPosition&, FenDialect, char*);
template char* write_epd(const Position&, FenDialect, char*);
template char* write_epd(const VariantPosition&, FenDialect, char*);

}  // namespace fendex::chess
