#include "chess/mirrored.hpp"

#include <optional>
#include <stdexcept>
#include <utility>

namespace fendex::chess {

namespace {

VariantSetup mirrored(const VariantSetup& setup) {
    VariantSetup out = setup;
    for (Square s = 0; s < 64; ++s) {
        const Piece piece = setup.board[s];
        out.board[s ^ 56U] =
            piece == Piece::kNone ? piece : make_piece(~color_of(piece), type_of(piece));
    }
    out.side = ~setup.side;
    out.castling = __builtin_bswap64(setup.castling);
    out.promoted = __builtin_bswap64(setup.promoted);
    if (setup.en_passant != kNoSquare) out.en_passant = setup.en_passant ^ 56U;
    std::swap(out.pockets[0], out.pockets[1]);
    std::swap(out.checks[0], out.checks[1]);
    return out;
}

}  // namespace

AnyPosition mirrored(const AnyPosition& position) {
    const VariantSetup setup = mirrored(position.visit([](const auto& p) { return setup_of(p); }));
    const std::optional<AnyPosition> other = any_position(position.variant(), setup);
    // In a variant whose sides mirror each other, a position with colours exchanged is always
    // valid.
    if (!other) throw std::logic_error("mirrored: no position from " + to_fen(position));
    return *other;
}

Move mirrored(Move move) {
    if (move.kind() == MoveKind::kNull) return move;
    const bool is_drop = move.kind() == MoveKind::kDrop;
    return {is_drop ? move.from() : move.from() ^ 56U, move.to() ^ 56U, move.kind()};
}

}  // namespace fendex::chess
