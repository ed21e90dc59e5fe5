// The status of a position: check, mate, stalemate, a variant's own end, draws by the clock and by
// material. It depends on the position alone, so repetitions are not seen.
#pragma once

#include <cstddef>
#include <string_view>

#include "chess/position.hpp"
#include "chess/variant_position.hpp"

namespace fendex::chess {

struct PositionStatus {
    /// "ongoing", "check"; or how the game has ended: "checkmate", "stalemate", "insufficient
    /// material", "seventy-five moves"; by a variant's own rule "third check", "king on the hill",
    /// "no pieces left", "bare king", "king exploded", "horde captured", "race over".
    std::string_view name;
    /// "1-0", "0-1" or "1/2-1/2" if the game is over, else "*".
    std::string_view result;
    std::size_t legal_moves = 0;
    bool check = false;
    /// Fifty moves without capture and pawn move: a draw may be claimed (FIDE 9.3). Seventy-five:
    /// the game is drawn (9.6.2). Both are false if there is no legal move, because then the game
    /// has already ended (mate takes precedence). Both are false in Crazyhouse, where captured
    /// pieces come back.
    bool fifty_moves = false;
    bool seventy_five_moves = false;
    /// No sequence of legal moves can end in mate (FIDE 5.2.2): the board has only kings, or kings
    /// and one knight, or kings and bishops that all stand on squares of one colour. Dead positions
    /// with locked pawns are not detected. In variants it is true only for two bare kings, if
    /// VariantRules::bare_kings_draw, and false if the variant's own rule has ended the game.
    bool insufficient_material = false;
};

PositionStatus status_of(const Position& position);
PositionStatus status_of(const VariantPosition& position);

}  // namespace fendex::chess
