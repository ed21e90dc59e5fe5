// Finds pairs of stored games that are one game by the rule of query/same_game.hpp. Hashes of the
// first moves are sorted to find possible pairs, in bounded memory and a temporary file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct SimilarPair {
    std::uint32_t first = 0;  // the lower number
    std::uint32_t second = 0;
    unsigned score = 0;            // certainty()
    std::uint64_t first_rank = 0;  // GameComparison::rank()
    std::uint64_t second_rank = 0;

    std::uint64_t games() const { return std::uint64_t{first} << 32 | second; }
};

struct SimilarPairs {
    /// A pair may be there several times.
    std::vector<SimilarPair> pairs;
    /// For games with the moves and headers of an earlier game: that game, which is in the pairs
    /// of both.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> copies;
};

struct SimilarResources {
    std::size_t bytes = std::size_t{256} << 20;  // for sorting
    std::string directory = ".";                 // of the temporary file
    /// More readers of the same snapshot, each for one more thread.
    std::vector<store::StoreReader*> readers = {};
};

/// Returns the pairs among the games that fit. Throws base::Stopped soon after a stop was
/// requested.
[[nodiscard]] SimilarPairs find_similar_pairs(store::StoreReader& reader, GameMatcher& matcher,
                                              const SimilarResources& resources,
                                              const std::stop_token& stop);

}  // namespace fendex::query
