// Finds the move that SAN names on the board of a variant.
#include "chess/san.hpp"
#include "chess/variant_movegen.hpp"

namespace fendex::chess {

namespace {

bool is_castling(const VariantPosition& p, Move m, const SanMove& san) {
    const bool short_side = m.to() > m.from();
    switch (san.kind) {
        case SanMove::Kind::kCastleShort: return short_side;
        case SanMove::Kind::kCastleLong: return !short_side;
        case SanMove::Kind::kDrop:
        case SanMove::Kind::kNull: return false;
        case SanMove::Kind::kPiece: break;
    }
    // UCI writes castling as e1h1 or, only from the e-file, as e1g1: from f1, g1 is a normal king
    // move.
    return san.coordinates() && san.from_file == file_of(m.from()) &&
           san.from_rank == rank_of(m.from()) &&
           (san.to() == m.to() ||
            (file_of(m.from()) == 4 && san.to() == castled_king(p.side_to_move(), short_side)));
}

bool is_on(unsigned part, unsigned named) { return named == SanMove::kAny || named == part; }

bool names(const VariantPosition& p, const SanMove& san, Move m) {
    if (m.kind() == MoveKind::kCastle) return is_castling(p, m, san);
    const bool same_target = file_of(m.to()) == san.to_file && is_on(rank_of(m.to()), san.to_rank);
    if (m.kind() == MoveKind::kDrop) {
        return san.kind == SanMove::Kind::kDrop && m.from() == index(san.piece) && same_target;
    }
    if (san.kind != SanMove::Kind::kPiece || !same_target) return false;
    const PieceType moved = type_of(p.piece_on(m.from()));
    return (moved == san.piece || san.coordinates()) && is_on(file_of(m.from()), san.from_file) &&
           is_on(rank_of(m.from()), san.from_rank) && m.becomes() == san.promotion;
}

}  // namespace

SanError resolve_san(const VariantPosition& position, const SanMove& san, Move& out) {
    if (position.is_over()) return SanError::kGameOver;
    if (san.kind == SanMove::Kind::kNull) {
        if (!position.is_legal(Move::null())) return SanError::kNullInCheck;
        out = Move::null();
        return SanError::kNone;
    }
    unsigned found = 0;
    for (const Move m : legal_moves(position)) {
        if (!names(position, san, m)) continue;
        out = m;
        ++found;
    }
    if (found == 1) return SanError::kNone;
    if (found > 1) return SanError::kAmbiguous;
    return san.kind == SanMove::Kind::kDrop ? SanError::kCannotDrop : SanError::kNoSuchPiece;
}

SanError read_san(const VariantPosition& position, std::string_view text, Move& out) {
    if (position.is_over()) return SanError::kGameOver;
    SanMove san;
    const SanError error = parse_variant_san(text, san);
    return error == SanError::kNone ? resolve_san(position, san, out) : error;
}

}  // namespace fendex::chess
