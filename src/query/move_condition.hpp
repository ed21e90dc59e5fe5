// A condition on the move that is played from a position: who moves, which piece, from where, to
// where, whether it captures. Plain values; any thread may use them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/position.hpp"
#include "chess/types.hpp"

namespace fendex::query {

struct MoveCondition {
    /// Sets of chess::PieceType, as bits.
    using Types = std::uint8_t;
    static constexpr Types type(chess::PieceType t) {
        return static_cast<Types>(1U << chess::index(t));
    }
    static constexpr Types kAnyType = 0x3F;

    enum class Captures : std::uint8_t { kAny, kOnly, kNone };

    /// Whose move it is. Without a move, the position alone must have this side to move.
    std::optional<chess::Color> side;
    /// Whether a move must be played; the conditions below are on it.
    bool needs_move = false;
    // The kinds of move that are allowed.
    bool moves = true;  // all but castling and drops
    bool castles_short = true;
    bool castles_long = true;
    bool drops = true;  // Crazyhouse
    Types movers = kAnyType;
    chess::Bitboard from = ~chess::Bitboard{0};
    chess::Bitboard to = ~chess::Bitboard{0};
    Captures captures = Captures::kAny;
    Types victims = kAnyType;       // what is captured, if something is
    Types becomes = 0;              // what a pawn is promoted to; 0: it need not be promoted
    bool captures_explode = false;  // a piece that captures is gone, as in Atomic
    /// The squares to which the piece goes after this move, each by its next move.
    std::vector<chess::Square> route;

    /// Returns the condition for the other side, on the board upside down.
    [[nodiscard]] MoveCondition mirrored() const;

    /// Returns whether the move of a piece of type `moved`, played on this board, is one of these.
    /// The route is not looked at. `move` is null at the end of a game.
    template <typename Board>
    bool matches(const Board& board, const chess::Move* move, chess::PieceType moved) const {
        if (side && board.side_to_move() != *side) return false;
        if (!needs_move) return true;
        return move != nullptr && move_matches(board, *move, moved);
    }

  private:
    template <typename Board>
    bool move_matches(const Board& board, chess::Move move, chess::PieceType moved) const {
        using chess::MoveKind;
        if (move.kind() == MoveKind::kNull) return false;
        if (move.kind() == MoveKind::kCastle) {
            return move.to() > move.from() ? castles_short : castles_long;
        }
        const bool is_drop = move.kind() == MoveKind::kDrop;
        if (!(is_drop ? drops : moves) || (movers & type(moved)) == 0) return false;
        if ((to & chess::bit(move.to())) == 0) return false;
        if (is_drop) return captures != Captures::kOnly;
        if ((from & chess::bit(move.from())) == 0) return false;
        if (becomes != 0) {
            const chess::PieceType promoted = move.becomes();
            if (promoted == chess::PieceType::kNone || (becomes & type(promoted)) == 0)
                return false;
        }
        return captures == Captures::kAny || capture_matches(board, move);
    }
    template <typename Board>
    bool capture_matches(const Board& board, chess::Move move) const {
        if (move.kind() == chess::MoveKind::kEnPassant) {
            return captures == Captures::kOnly && (victims & type(chess::PieceType::kPawn)) != 0;
        }
        const chess::Bitboard victim = chess::bit(move.to()) & board.pieces(~board.side_to_move());
        if (captures == Captures::kNone) return victim == 0;
        if (victim == 0 || victims == kAnyType) return victim != 0;
        for (unsigned t = 0; t < 6; ++t) {
            const auto each = static_cast<chess::PieceType>(t);
            if ((victims & type(each)) != 0 && (board.pieces(each) & victim) != 0) return true;
        }
        return false;
    }
};

}  // namespace fendex::query
