// Parses lists of game numbers: "1,5,10-20".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/records.hpp"

namespace fendex::cli {

/// The first and the last game of a range, both included.
using GameRange = std::pair<store::GameId, store::GameId>;
using GameRanges = std::vector<GameRange>;

/// Returns the ranges in the order of the list. Throws UsageError, in which `what` names the list.
GameRanges parse_games(const std::string& what, const std::string& list);

}  // namespace fendex::cli
