// Upgrades a database from version 4 to 5: gives rows checksums, and games their openings.
#pragma once

#include <cstdint>
#include <functional>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/tables/game_openings.hpp"

namespace fendex::store {

/// Calls count_row() for each row; if it throws, the upgrade ends. Returns how many damaged
/// segments were dropped.
std::uint64_t add_checksums(Connection& connection, const GameOpenings& openings,
                            const std::function<void()>& count_row);

}  // namespace fendex::store
