// The plies of a list of games, numbered from 0 in their order. The games' facts say how many plies
// each has, so nothing is replayed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emit/game_batches.hpp"
#include "emit/sampled_plies.hpp"

namespace fendex::emit {

/// Counts the plies of the games that can be replayed, including their starts.
std::uint64_t count_plies(store::StoreReader& reader, const GameList& games);

/// Returns the plies with these numbers, which must be ascending and less than count_plies().
std::vector<SampledPlies::Place> places_of(store::StoreReader& reader, const GameList& games,
                                           std::span<const std::uint64_t> numbers);

}  // namespace fendex::emit
