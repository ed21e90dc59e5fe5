// Sums up groups of games, such as the games that played a move: results, ratings, dates, and the
// games to name. Facts are read in bulk, chunk by chunk, once for all groups.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_check.hpp"
#include "codec/big_position.hpp"
#include "codec/named_games.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

struct GroupSums {
    codec::Tally tally;  // with one occurrence per game
    codec::NamedGames top;
    codec::NamedGames recent;
};

/// Returns the sums of each group, which name up to `named_games` games. The games of a group must
/// be in ascending order. Throws base::Stopped.
std::vector<GroupSums> sums_of_groups(LocalReader& reader,
                                      std::span<const std::vector<std::uint32_t>> groups,
                                      std::size_t named_games, base::StopCheck& stop);

}  // namespace fendex::store
