// Sums over groups of games, such as those that played a move: results, ratings, dates, and the
// games to name. The facts are read in bulk, chunk by chunk, once for all groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_check.hpp"
#include "codec/big_position.hpp"
#include "codec/named_games.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct GroupSums {
    codec::Tally tally;  // one occurrence a game
    codec::NamedGames top;
    codec::NamedGames recent;
};

/// Each group has its games in ascending order. Names up to `named_games` games of each. Throws
/// base::Stopped.
std::vector<GroupSums> sums_of_groups(store::StoreReader& reader,
                                      std::span<const std::vector<std::uint32_t>> groups,
                                      std::size_t named_games, base::StopCheck& stop);

}  // namespace fendex::query
