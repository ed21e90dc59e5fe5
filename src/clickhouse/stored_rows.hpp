// The numbers of rows that the tables have of each push. The ledger records them when a push is
// complete. If rows vanish later (somebody dropped a partition, a shard lost its disk), that is an
// error and not a smaller answer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/client/connection.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/schema.hpp"

namespace fendex::clickhouse {

/// The number of rows of a push in each of counted_tables().
using StoredRows = std::vector<std::uint64_t>;
using StoredRowsOfPushes = std::map<PushNumber, StoredRows>;

/// Returns the names of the tables whose rows belong to pushes, in the order of the schema.
[[nodiscard]] const std::vector<std::string>& counted_tables();
/// Returns the index of one of them in StoredRows.
[[nodiscard]] std::size_t counted_table(std::string_view name);

/// Returns a query for the numbers of rows of all pushes in all counted_tables(), with the columns
/// list (UInt8, the number of the table, from 1), push (UInt32) and stored_rows (UInt64). Servers
/// store these numbers: current ones use them for count() by a partition key, older ones have them
/// in system.parts. (Those from 19.11 to about 21.x read the column push, which takes some
/// milliseconds for ten million rows. So do old ones if the tables are replicated, because a
/// replica that is behind is left out only for Distributed tables.)
[[nodiscard]] std::string sql_stored_rows(Connection& connection, const Layout& layout);

/// Sets the number of rows that a push has in one of counted_tables().
void put_rows(StoredRowsOfPushes& rows, PushNumber push, std::size_t table, std::uint64_t count);
/// Reads the numbers of rows of all pushes in all counted_tables().
[[nodiscard]] StoredRowsOfPushes read_stored_rows(Connection& connection, const Layout& layout);
/// Returns the numbers of a push; zeros if it has no rows.
[[nodiscard]] StoredRows rows_of_push(const StoredRowsOfPushes& rows, PushNumber push);

/// Reads the column push.stored_rows. Pushes of older programs have no value for tables that were
/// added since, of which they have no rows: these values become 0. Throws StoreError if a complete
/// push has a wrong number of values.
[[nodiscard]] StoredRows read_recorded_rows(AnswerRow& row, bool is_complete);

/// Returns a sentence about the first table with a wrong number of rows; empty if all are right.
/// Tables that the layout lacks are not compared: they may have been made since it was read.
[[nodiscard]] std::string wrong_rows(const Layout& layout, PushNumber push,
                                     const StoredRows& recorded, const StoredRows& stored);
/// Throws the error for a sentence of wrong_rows().
[[noreturn]] void throw_wrong_rows(const Connection& connection, const std::string& what);

}  // namespace fendex::clickhouse
