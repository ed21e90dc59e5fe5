// Games of several databases in another order than that of their numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/game_filter.hpp"

namespace fendex::ask {

struct PlacedGame {
    std::uint32_t database = 0;  // its index among Sources
    store::GameId game = 0;
};

/// Merges the games of several databases; those of each database are in order. Among equal ranks,
/// games of databases that were named earlier come first.
std::vector<PlacedGame> merged(std::span<const std::vector<query::RankedGame>> databases);

/// Returns the games from `first` on up to the first of another database, at most `most`.
std::span<const PlacedGame> front_of_one_database(std::span<const PlacedGame> games,
                                                  std::size_t first, std::size_t most);

/// Returns how many ranked games a page needs: those up to its end and the one after it.
std::size_t games_for(std::uint64_t after, std::uint64_t limit);

}  // namespace fendex::ask
