// Removes games that are already stored from a batch that has been read.
#pragma once

#include <vector>

#include "store/records.hpp"

namespace fendex::ingest {

/// A game of a batch that has no equal.
inline constexpr store::GameId kNewGame = 0;
/// A game of a batch whose equal is in the batch, or that is left out for another reason.
inline constexpr store::GameId kLeftOut = ~store::GameId{0};

/// `equal` has, for each game of the batch, the stored game that is equal. Removes the games that
/// are not new from the batch, with their errors, and counts them as its duplicates; their comments
/// become its notes. Returns whether the last game was left out.
bool leave_out(const std::vector<store::GameId>& equal, store::NewGames& batch);

}  // namespace fendex::ingest
