// Finds games that are stored more than once with other headers, cut short, or with another last
// move or result (query/same_game.hpp). Hashes of the first moves are sorted to find possible ones,
// in bounded memory and a temporary file; comparing the stored games decides.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct SimilarGames {
    std::vector<store::GameId> games;  // ascending; each is the same game as one of them
    unsigned score = 0;                // certainty() of the least certain one
};

struct SortMemory {
    std::size_t bytes = std::size_t{256} << 20;
    std::string directory = ".";  // of the temporary file
};

/// Returns the groups of the games that fit, by their first games. Throws base::Stopped soon after
/// a stop was requested.
[[nodiscard]] std::vector<SimilarGames> find_similar_games(store::StoreReader& reader,
                                                           GameMatcher& matcher,
                                                           const SortMemory& memory,
                                                           std::stop_token stop);

}  // namespace fendex::query
