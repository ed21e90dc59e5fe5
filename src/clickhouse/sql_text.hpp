// Pieces of SQL, and the message for damage, that the readers of several tables share. Numbers
// cannot be mistaken for SQL, so they are written into queries. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "clickhouse/client/connection.hpp"
#include "store/game_range.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

/// "(1,2,5)"; `games` is not empty.
[[nodiscard]] inline std::string sql_list(std::span<const store::GameId> games) {
    std::string out;
    for (const store::GameId game : games) {
        out += out.empty() ? "(" : ",";
        out += std::to_string(game);
    }
    return out + ")";
}

/// "BETWEEN 1 AND 5"
[[nodiscard]] inline std::string sql_between(const store::GameRange& games) {
    return "BETWEEN " + std::to_string(games.first) + " AND " + std::to_string(games.last);
}

/// `what` of the game is not what a push writes.
[[noreturn]] inline void throw_damaged(const Connection& connection, std::string_view what,
                                       store::GameId game) {
    throw store::StoreError(store::StoreError::kDamaged, to_text(connection.url()) +
                                                             ": damaged: " + std::string(what) +
                                                             " of game " + std::to_string(game));
}

}  // namespace fendex::clickhouse
