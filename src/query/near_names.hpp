// The names that fit the words of a filter, or, if there are none, names that resemble them. These
// are suggestions; they do not affect which games fit.
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
    std::uint64_t games = 0;  // games that have it in the condition's columns; not 0
};

/// A condition of a filter that no name in any of the databases meets.
struct UnmetName {
    std::string field;            // of the filter: "player"
    std::string words;            // as they were compared
    std::vector<NameCount> near;  // the nearest first; of equally near ones, those with more games
};

/// Reads all names of one or several databases, and the columns of all games if any name is near.
/// Throws base::Stopped soon after a stop was requested.
std::vector<UnmetName> unmet_names(std::span<store::StoreReader* const> readers,
                                   const GameFilter& filter, std::stop_token stop = {});

/// The names that a condition has found.
struct MetNames {
    std::string field;             // of the filter: "player"
    std::string words;             // as they were compared
    std::vector<NameCount> names;  // those with more games first
};

/// The names that the filter's words meet in these games, which are ascending. Reads all names, and
/// the columns of all games.
std::vector<MetNames> met_names(store::StoreReader& reader, const GameFilter& filter,
                                std::span<const store::GameId> games);

}  // namespace fendex::query
