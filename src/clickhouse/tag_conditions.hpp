// Conditions on tag pairs. If table game has a column for the tag, the servers compare that. For
// other tags they find the games whose packed tags contain the bytes of the pair. The tags of these
// games are then checked here, because the same bytes may be part of a longer value.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clickhouse/snapshot.hpp"

namespace fendex::clickhouse {

struct TagCondition {
    std::string decided;  // SQL on rows of game: those that surely have the pair
    std::shared_ptr<const std::vector<GameId>> games;  // other games that have it
};

/// Returns the condition that a game has exactly this tag pair. `games` is kept in the snapshot
/// cache.
[[nodiscard]] TagCondition tag_condition(ReadSession& session, const std::string& name,
                                         const std::string& value);

}  // namespace fendex::clickhouse
