// Takes back games that were deleted from their database after they were pushed. The database no
// longer has their moves, so the rows are made from the cluster's own copy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ledger.hpp"
#include "store/store_reader.hpp"

namespace fendex::clickhouse {

/// Returns the SQL condition that a row belongs to one of these pushes. There must be at least one.
std::string sql_of_pushes(std::span<const PushRecord> pushes);

/// Returns the games, in order, that were pushed and not taken back, and that the database no
/// longer has. If no game was deleted since the last push, it sends no query.
std::vector<store::GameId> deleted_since(Connection& connection, Origin origin,
                                         const OriginPushes& pushes, store::StoreReader& database);

/// Sends the rows that take the games back. Returns the changes of the counters: negative numbers.
PushCounters retract(Connection& connection, PushNumber push, const OriginPushes& pushes,
                     std::span<const store::GameId> games);

}  // namespace fendex::clickhouse
