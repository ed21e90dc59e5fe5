// Names that resemble what somebody typed, for when no name fits it. A guess, never a condition.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

struct NearName {
    std::string name;
    std::uint64_t games = 0;  // that have it where the condition looks; not 0
};

/// A condition of a filter that no name in the database meets.
struct UnmetName {
    std::string field;           // of the filter: "player"
    std::string words;           // as they were compared
    std::vector<NearName> near;  // the nearest first; of equally near ones, those with more games
};

/// Reads all names, and the columns of all games if any name is near. Throws base::Stopped
/// soon after a stop was requested.
std::vector<UnmetName> unmet_names(store::StoreReader& reader, const GameFilter& filter,
                                   std::stop_token stop = {});

}  // namespace fendex::query
