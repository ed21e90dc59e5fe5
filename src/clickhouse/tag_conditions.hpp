// Conditions on tag pairs. A value that table game has as a column is compared there. For others,
// the servers find the games whose packed tags have the bytes of the pair, and those games' tags
// are read here, because the same bytes may be part of a longer value.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "clickhouse/snapshot.hpp"

namespace fendex::clickhouse {

struct TagCondition {
    std::string decided;  // SQL on rows of game: these games have the pair
    std::shared_ptr<const std::vector<GameId>> games;  // others that have it
};

/// Returns the games that have the tag pair, value for value. Kept on the snapshot's shelf.
[[nodiscard]] TagCondition tag_condition(ReadSession& session, const std::string& name,
                                         const std::string& value);

}  // namespace fendex::clickhouse
