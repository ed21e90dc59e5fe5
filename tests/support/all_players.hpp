// All players of the games that fit, as a store lists them.
#pragma once

#include <limits>
#include <vector>

#include "store/engine.hpp"
#include "store/store_reader.hpp"

namespace fendex::test {

inline std::vector<store::PlayerCount> all_players(store::StoreReader& reader,
                                                   const store::GameFilter& filter = {}) {
    return reader.engine()
        .players(filter, {})
        ->first(store::AllPlayers(), std::numeric_limits<std::size_t>::max(), {});
}

}  // namespace fendex::test
