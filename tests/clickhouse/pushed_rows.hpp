// Comparisons of a cluster's tables with the database that was pushed.
#pragma once

#include "clickhouse/client/connection.hpp"
#include "store/store_reader.hpp"

namespace fendex::test {

/// Compares the rows of table `posting` that readers count.
void compare_postings(store::StoreReader& reader, clickhouse::Connection& connection);

/// Compares the rows of table `game` with what the reader says of each game.
void compare_games(store::StoreReader& reader, clickhouse::Connection& connection);

/// Compares tables that are written game by game besides games and postings.
void compare_rest(store::StoreReader& reader, clickhouse::Connection& connection);

/// Compares sources, errors and counters.
void compare_ledger(store::StoreReader& reader, clickhouse::Connection& connection);

/// Compares table `position_sum` with sums that are computed here.
void compare_position_sums(store::StoreReader& reader, clickhouse::Connection& connection);

}  // namespace fendex::test
