// The openings of games, by the moves, with their results. Sums over columns: some ten nanoseconds
// a game.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "codec/big_position.hpp"
#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct OpeningSum {
    std::string eco;  // both empty: games without an opening
    std::string name;
    codec::Tally tally;  // one occurrence a game
};

enum class OpeningOrder { kGames, kEco };

/// Returns the openings of the games that fit: those of most games first, or in the order of codes
/// and names. Throws base::Stopped after a stop was requested; StoreError if the database has no
/// openings.
[[nodiscard]] std::vector<OpeningSum> opening_sums(store::StoreReader& reader, GameMatcher& matcher,
                                                   OpeningOrder order, std::stop_token stop = {});

/// Adds up the openings of several databases.
[[nodiscard]] std::vector<OpeningSum> joined_openings(
    std::span<const std::vector<OpeningSum>> databases, OpeningOrder order);

}  // namespace fendex::query
