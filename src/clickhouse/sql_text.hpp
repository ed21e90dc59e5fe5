// Pieces of SQL that the readers of several tables share. Numbers cannot be mistaken for SQL, so
// they are written into queries. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "store/game_range.hpp"

namespace fendex::clickhouse {

/// Returns "(1,2,5)". `games` must not be empty.
[[nodiscard]] inline std::string sql_list(std::span<const store::GameId> games) {
    std::string out;
    for (const store::GameId game : games) {
        out += out.empty() ? "(" : ",";
        out += std::to_string(game);
    }
    return out + ")";
}

/// Returns "BETWEEN 1 AND 5".
[[nodiscard]] inline std::string sql_between(const store::GameRange& games) {
    return "BETWEEN " + std::to_string(games.first) + " AND " + std::to_string(games.last);
}

}  // namespace fendex::clickhouse
