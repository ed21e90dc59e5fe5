// Finds games that are stored more than once with other headers, cut short, or with another last
// move or result (query/same_game.hpp).
#pragma once

#include <stop_token>
#include <vector>

#include "query/game_filter.hpp"
#include "query/similar_pairs.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct SimilarGames {
    std::vector<store::GameId> games;  // ascending; each is the same game as one of them
    unsigned score = 0;                // certainty() of the least certain one
};

/// Returns the groups of the games that fit, by their first games. Throws base::Stopped soon after
/// a stop was requested.
[[nodiscard]] std::vector<SimilarGames> find_similar_games(store::StoreReader& reader,
                                                           GameMatcher& matcher,
                                                           const SimilarResources& resources,
                                                           std::stop_token stop);

}  // namespace fendex::query
