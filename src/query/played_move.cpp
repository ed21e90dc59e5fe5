#include "query/played_move.hpp"

#include <type_traits>

#include "chess/fen.hpp"
#include "store/store_error.hpp"

namespace fendex::query {

namespace {

using chess::Color;
using chess::Move;

bool has_in_hand(const chess::Position&, unsigned) { return false; }
bool has_in_hand(const chess::VariantPosition& position, unsigned type) {
    return type < chess::index(chess::PieceType::kKing) &&
           position.pocket(position.side_to_move(), static_cast<chess::PieceType>(type)) != 0;
}

template <typename Position>
bool can_be_made(const Position& position, Move move) {
    using chess::MoveKind;
    using chess::PieceType;
    constexpr bool kStandard = std::is_same_v<Position, chess::Position>;
    const MoveKind kind = move.kind();
    if (kind == MoveKind::kNull) return true;
    const Color us = position.side_to_move();
    const chess::Piece target = position.piece_on(move.to());
    const bool is_empty = target == chess::Piece::kNone;
    if (kind == MoveKind::kDrop) return has_in_hand(position, move.from()) && is_empty;
    const chess::Piece moved = position.piece_on(move.from());
    if (moved == chess::Piece::kNone || chess::color_of(moved) != us) return false;
    if (kind == MoveKind::kCastle) {
        return chess::type_of(moved) == PieceType::kKing &&
               target == chess::make_piece(us, PieceType::kRook);
    }
    const bool promotes = move.is_promotion() || (!kStandard && kind == MoveKind::kPromoteKing);
    if (chess::type_of(moved) == PieceType::kPawn) {
        if (promotes != (chess::rank_of(move.to()) == chess::back_rank(~us))) return false;
        if (kind == MoveKind::kEnPassant) {
            return is_empty &&
                   position.piece_on(move.to() ^ 8U) == chess::make_piece(~us, PieceType::kPawn);
        }
    } else if (kind != MoveKind::kNormal) {
        return false;
    }
    if (kind > MoveKind::kNull && !promotes) return false;
    return is_empty || (chess::color_of(target) != us &&
                        (!kStandard || chess::type_of(target) != PieceType::kKing));
}

}  // namespace

bool can_be_played(const chess::AnyPosition& position, Move move) {
    return position.visit([&](const auto& p) { return can_be_made(p, move); });
}

void throw_cannot_be_played(const chess::AnyPosition& position) {
    throw store::DamageError("damaged database: a move that cannot be played in the position " +
                             chess::to_fen(position));
}

}  // namespace fendex::query
