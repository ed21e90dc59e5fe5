// Writing SAN and UCI, for every board.
#include "chess/movegen.hpp"
#include "chess/san.hpp"
#include "chess/variant_movegen.hpp"

namespace fendex::chess {

namespace {

constexpr std::string_view kUpperLetters = "PNBRQK";  // in the order of PieceType
constexpr std::string_view kLowerLetters = "pnbrqk";

char* write_text(std::string_view text, char* out) {
    for (const char c : text) *out++ = c;
    return out;
}

char* write_square(Square s, char* out) {
    *out++ = static_cast<char>('a' + file_of(s));
    *out++ = static_cast<char>('1' + rank_of(s));
    return out;
}

/// Writes a drop, which SAN and UCI write alike: N@f3.
char* write_drop(Move m, char* out) {
    *out++ = kUpperLetters[m.from()];
    *out++ = '@';
    return write_square(m.to(), out);
}

/// Writes what distinguishes the piece on `from` from others of its kind that could legally go to
/// `to` (PGN 8.2.3.4): its file, else its rank, else both.
template <Board B>
char* write_origin(const B& p, PieceType type, Square from, Square to, Bitboard rivals, char* out) {
    bool any = false;
    bool same_file = false;
    bool same_rank = false;
    for (rivals &= attacks(type, to, p.occupied()); rivals != 0;) {
        const Square rival = pop_lowest(rivals);
        if (!p.is_legal(Move(rival, to))) continue;
        any = true;
        same_file |= file_of(rival) == file_of(from);
        same_rank |= rank_of(rival) == rank_of(from);
    }
    if (any && (!same_file || same_rank)) *out++ = static_cast<char>('a' + file_of(from));
    if (any && same_file) *out++ = static_cast<char>('1' + rank_of(from));
    return out;
}

/// Returns whether UCI writes castling as two steps of the king. On the standard board `variant`
/// decides. On the board of a variant the castling right decides, because such a game may start
/// from a position of Chess960.
bool castles_by_steps(const Position&, Move, Variant variant) {
    return variant != Variant::kChess960;
}
bool castles_by_steps(const VariantPosition&, Move m, Variant variant) {
    constexpr Bitboard kCorners = 0x8100000000000081ULL;
    return variant != Variant::kChess960 && file_of(m.from()) == 4 && (bit(m.to()) & kCorners) != 0;
}

}  // namespace

template <Board B>
char* write_san(const B& p, Move m, char* out) {
    const Square from = m.from();
    const Square to = m.to();
    if (m.kind() == MoveKind::kNull) return write_text("--", out);
    if (m.kind() == MoveKind::kCastle) return write_text(to > from ? "O-O" : "O-O-O", out);
    if (m.kind() == MoveKind::kDrop) return write_drop(m, out);
    const PieceType type = type_of(p.piece_on(from));
    const bool capture = p.piece_on(to) != Piece::kNone || m.kind() == MoveKind::kEnPassant;
    if (type == PieceType::kPawn) {
        if (capture) *out++ = static_cast<char>('a' + file_of(from));
    } else {
        *out++ = kUpperLetters[index(type)];
        const Bitboard rivals = p.pieces(p.side_to_move(), type) & ~bit(from);
        if (rivals != 0) out = write_origin(p, type, from, to, rivals, out);
    }
    if (capture) *out++ = 'x';
    out = write_square(to, out);
    if (m.becomes() != PieceType::kNone) {
        *out++ = '=';
        *out++ = kUpperLetters[index(m.becomes())];
    }
    return out;
}

template <Board B>
char check_mark(const B& after) {
    if (after.is_over()) return '#';
    if (!after.in_check()) return 0;
    return has_legal_move(after) ? '+' : '#';
}

template <Board B>
void append_san(const B& p, Move m, std::string& out) {
    char san[kMaxSanLength];
    out.append(san, write_san(p, m, san));
    if (m.kind() == MoveKind::kNull) return;
    B after = p;
    after.play(m);
    if (const char mark = check_mark(after); mark != 0) out += mark;
}

template <Board B>
void append_uci(const B& p, Move m, Variant variant, std::string& out) {
    char uci[kMaxSanLength];
    char* end = uci;
    if (m.kind() == MoveKind::kNull) {
        end = write_text("0000", end);
    } else if (m.kind() == MoveKind::kDrop) {
        end = write_drop(m, end);
    } else {
        const bool by_steps = m.kind() == MoveKind::kCastle && castles_by_steps(p, m, variant);
        const Square to = by_steps ? castled_king(p.side_to_move(), m.to() > m.from()) : m.to();
        end = write_square(to, write_square(m.from(), end));
        if (m.becomes() != PieceType::kNone) *end++ = kLowerLetters[index(m.becomes())];
    }
    out.append(uci, end);
}

void append_square(Square s, std::string& out) {
    char square[2];
    out.append(square, write_square(s, square));
}

template char* write_san(const Position&, Move, char*);
template char* write_san(const VariantPosition&, Move, char*);
template char check_mark(const Position&);
template char check_mark(const VariantPosition&);
template void append_san(const Position&, Move, std::string&);
template void append_san(const VariantPosition&, Move, std::string&);
template void append_uci(const Position&, Move, Variant, std::string&);
template void append_uci(const VariantPosition&, Move, Variant, std::string&);

}  // namespace fendex::chess
