// How many rows the tables have of each push. The ledger says how many it sent; if rows vanished (a
// partition that somebody dropped, the lost disk of a shard), that is an error and not a smaller
// answer.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/ledger.hpp"

namespace fendex::clickhouse {

/// The tables whose rows the ledger counts.
inline constexpr std::array<std::string_view, 3> kCountedTables{"game", "posting", "taken_back"};

/// The rows of a push in each of kCountedTables.
using StoredRows = std::array<std::uint64_t, kCountedTables.size()>;
using StoredRowsOfPushes = std::map<PushNumber, StoredRows>;

/// Returns a query for the numbers of rows of one of kCountedTables, columns push (UInt32) and
/// stored_rows (UInt64). Servers have these numbers: current ones answer count() by a partition key
/// from what they know of each part, older ones tell them in system.parts. (From 19.11 to about
/// 21.x they read the column push, which takes some milliseconds for ten million rows.) `cluster`
/// is that of the tables; empty if they are on one server.
[[nodiscard]] std::string sql_stored_rows(Connection& connection, std::string_view cluster,
                                          std::string_view table);

/// Reads them all.
[[nodiscard]] StoredRowsOfPushes read_stored_rows(Connection& connection, std::string_view cluster);

/// Says which rows of a complete push are missing, or are too many; empty if all is right.
[[nodiscard]] std::string wrong_rows(PushNumber push, const PushCounters& counters,
                                     std::uint64_t taken_back, const StoredRowsOfPushes& rows);

/// Throws the error for what wrong_rows() says.
[[noreturn]] void throw_wrong_rows(const Connection& connection, const std::string& what);

}  // namespace fendex::clickhouse
