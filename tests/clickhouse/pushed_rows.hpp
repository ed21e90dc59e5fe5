// What is in a cluster's tables, compared with the database that was pushed.
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

/// Sums of the games that played each move from each position, computed here.
void compare_position_sums(store::StoreReader& reader, clickhouse::Connection& connection);

}  // namespace fendex::test
