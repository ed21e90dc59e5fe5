// Writing FEN and EPD. This runs once per ply where rows are stored, so nothing is allocated. The
// placement goes from piece to piece: what stands between two of them is looked up, so that there
// is no branch to be guessed but the end of the loop.
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

char* write_right(const Position& p, Color c, bool short_side, bool always_file, char* out) {
    const Square rook = p.castling_rook(c, short_side);
    if (rook == kNoSquare) return out;
    const Bitboard rooks = p.pieces(c, PieceType::kRook) & rank_mask(back_rank(c));
    const bool outermost = rook == (short_side ? highest(rooks) : lowest(rooks));
    const char file = static_cast<char>('a' + file_of(rook));
    const char letter = always_file || !outermost ? file : short_side ? 'k' : 'q';
    *out = c == Color::kWhite ? static_cast<char>(letter - 32) : letter;
    return out + 1;
}

char* write_castling(const Position& p, bool always_file, char* out) {
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

/// The four fields, with the en passant square given.
char* write_fields(const Position& p, bool always_file, Square en_passant, char* out) {
    out = write_placement(p, out);
    *out++ = ' ';
    *out++ = p.side_to_move() == Color::kWhite ? 'w' : 'b';
    *out++ = ' ';
    out = write_castling(p, always_file, out);
    *out++ = ' ';
    return write_en_passant(en_passant, out);
}

/// The en passant square as the dialect shows it.
Square shown_en_passant(const Position& p, FenDialect dialect) {
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

}  // namespace

char* write_fen(const Position& p, FenDialect dialect, char* out) {
    out = write_fields(p, dialect == FenDialect::kShredder, shown_en_passant(p, dialect), out);
    *out++ = ' ';
    out = write_number(p.halfmove_clock(), out);
    *out++ = ' ';
    return write_number(p.fullmove_number(), out);
}

char* write_epd(const Position& p, char* out) {
    return write_fields(p, false, shown_en_passant(p, FenDialect::kLegal), out);
}

std::string to_fen(const Position& position, FenDialect dialect) {
    char buffer[kMaxFenLength];
    return {buffer, write_fen(position, dialect, buffer)};
}

std::string to_epd(const Position& position) {
    char buffer[kMaxFenLength];
    return {buffer, write_epd(position, buffer)};
}

}  // namespace fendex::chess
