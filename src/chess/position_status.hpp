// How a position stands for who looks at it: check, mate, stalemate, a variant's own end, draws by
// the clock and by material. Of the position alone: repetitions are its game's business.
#pragma once

#include <cstddef>
#include <string_view>

#include "chess/position.hpp"
#include "chess/variant_position.hpp"

namespace fendex::chess {

struct PositionStatus {
    /// "ongoing", "check", "checkmate", "stalemate"; or how a variant's game has ended: "third
    /// check", "king on the hill", "no pieces left", "bare king", "king exploded", "horde
    /// captured", "race over".
    std::string_view name;
    /// "1-0", "0-1", "1/2-1/2" where the game is over, else "*".
    std::string_view result;
    std::size_t legal_moves = 0;
    bool check = false;
    /// Fifty moves without capture and pawn move: a draw may be claimed (FIDE 9.3). Seventy-five:
    /// it is a draw (9.6.2). Never where no move is left, which has ended the game before: mate
    /// above all; nor in Crazyhouse, whose pieces come back.
    bool fifty_moves = false;
    bool seventy_five_moves = false;
    /// No sequence of moves mates, whoever plays (FIDE 5.2.2): two kings alone, one of them with a
    /// knight, or with bishops of one colour of squares on either side. Dead positions that follow
    /// from locked pawns are not seen. Of variants in which material decides only two bare kings,
    /// and never where their own rule has ended the game.
    bool insufficient_material = false;
};

PositionStatus status_of(const Position& position);
PositionStatus status_of(const VariantPosition& position);

}  // namespace fendex::chess
