// Legal moves of variants.
#pragma once

#include <vector>

#include "chess/variant_position.hpp"

namespace fendex::chess {

/// All legal moves, in ascending order of their bits: packed games name a move by its place here.
/// Returns the legal moves; none if the game is over by the variant's own rule.
std::vector<Move> legal_moves(const VariantPosition& position);

bool has_legal_move(const VariantPosition& position);

/// Number of move sequences of `depth` plies.
std::uint64_t perft(const VariantPosition& position, unsigned depth);

}  // namespace fendex::chess
