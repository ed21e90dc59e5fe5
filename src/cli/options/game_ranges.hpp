// Games by their numbers, as people list them: "1,5,10-20".
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/records.hpp"

namespace fendex::cli {

/// First and last, both included.
using GameRange = std::pair<store::GameId, store::GameId>;
using GameRanges = std::vector<GameRange>;

/// In the order of the list. Throws UsageError, which names `what` the list is of.
GameRanges parse_games(const std::string& what, const std::string& list);

}  // namespace fendex::cli
