// Sums up the results of games by their openings, which are found by the moves.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "codec/big_position.hpp"
#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct OpeningSum {
    std::string eco;  // eco and name are empty for games without an opening
    std::string name;
    codec::Tally tally;  // with one occurrence per game
};

enum class OpeningOrder { kGames, kEco };

/// Returns the openings of the games that fit, sorted by number of games (most first) or by code
/// and name. Throws base::Stopped after a stop was requested; StoreError if the database has no
/// openings.
[[nodiscard]] std::vector<OpeningSum> opening_sums(store::StoreReader& reader, GameMatcher& matcher,
                                                   OpeningOrder order, std::stop_token stop = {});

/// Adds up the openings of several databases, each of which has them in this order.
[[nodiscard]] std::vector<OpeningSum> joined_openings(
    std::vector<std::vector<OpeningSum>> databases, OpeningOrder order);

}  // namespace fendex::query
