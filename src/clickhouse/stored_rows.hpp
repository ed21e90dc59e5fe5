// How many rows the tables have of each push. The ledger records them when a push is complete; if
// rows vanished (a partition that somebody dropped, the lost disk of a shard), that is an error and
// not a smaller answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"

namespace fendex::clickhouse {

/// The rows of a push in each of counted_tables().
using StoredRows = std::vector<std::uint64_t>;
using StoredRowsOfPushes = std::map<PushNumber, StoredRows>;

/// The names of the tables whose rows are of pushes, in the order of the schema.
[[nodiscard]] const std::vector<std::string>& counted_tables();
/// Returns the place of one of them in StoredRows.
[[nodiscard]] std::size_t counted_table(std::string_view name);

/// Returns a query for the numbers of rows of one of counted_tables(), columns push (UInt32) and
/// stored_rows (UInt64). Servers have these numbers: current ones answer count() by a partition key
/// from what they know of each part, older ones tell them in system.parts. (From 19.11 to about
/// 21.x they read the column push, which takes some milliseconds for ten million rows.) `cluster`
/// is that of the tables; empty if they are on one server.
[[nodiscard]] std::string sql_stored_rows(Connection& connection, std::string_view cluster,
                                          std::string_view table);

/// Sets the number of rows that a push has in one of counted_tables().
void put_rows(StoredRowsOfPushes& rows, PushNumber push, std::size_t table, std::uint64_t count);
/// Reads them all.
[[nodiscard]] StoredRowsOfPushes read_stored_rows(Connection& connection, std::string_view cluster);
/// Returns those of a push, which may have none.
[[nodiscard]] StoredRows rows_of_push(const StoredRowsOfPushes& rows, PushNumber push);

/// Reads the column push.stored_rows. Throws StoreError if that of a complete push is none that a
/// push writes.
[[nodiscard]] StoredRows read_recorded_rows(AnswerRow& row, bool is_complete);

/// Says which rows of a push are missing, or are too many; empty if all is right.
[[nodiscard]] std::string wrong_rows(PushNumber push, const StoredRows& recorded,
                                     const StoredRows& stored);
/// Throws the error for what wrong_rows() says.
[[noreturn]] void throw_wrong_rows(const Connection& connection, const std::string& what);

}  // namespace fendex::clickhouse
