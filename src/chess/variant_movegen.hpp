// Legal moves of variants.
#pragma once

#include <vector>

#include "chess/variant_position.hpp"

namespace fendex::chess {

/// Returns all legal moves, in ascending order of their bits; none if the variant's own rule has
/// ended the game. Do not change the order: packed games store a move as its index here.
std::vector<Move> legal_moves(const VariantPosition& position);

bool has_legal_move(const VariantPosition& position);

/// Number of move sequences of `depth` plies.
std::uint64_t perft(const VariantPosition& position, unsigned depth);

}  // namespace fendex::chess
