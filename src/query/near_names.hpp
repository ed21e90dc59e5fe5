// Finds the names that fit the words of a filter or, if there are none, names that resemble them.
// These are suggestions; they do not affect which games fit.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct NameCount {
    std::string name;
    std::uint64_t games = 0;  // games with this name in the condition's columns; at least 1
};

/// A condition of a filter that no name in any of the databases meets.
struct UnmetName {
    std::string field;            // of the filter: "player"
    std::string words;            // as in the filter
    std::vector<NameCount> near;  // the nearest first, then by number of games
};

/// Returns the conditions on names that no name meets. Reads the names of one or several databases
/// and, for a condition that no name meets, the columns of all games. Throws base::Stopped soon
/// after a stop was requested.
std::vector<UnmetName> unmet_names(std::span<store::StoreReader* const> readers,
                                   const GameFilter& filter, std::stop_token stop = {});

/// The names that meet a condition.
struct MetNames {
    std::string field;             // of the filter: "player"
    std::string words;             // as in the filter
    std::vector<NameCount> names;  // those with more games first
};

/// Returns the names that meet the filter's conditions in these games, which must be ascending.
/// Reads all names, and the columns of these games.
std::vector<MetNames> met_names(store::StoreReader& reader, const GameFilter& filter,
                                std::span<const store::GameId> games);

}  // namespace fendex::query
