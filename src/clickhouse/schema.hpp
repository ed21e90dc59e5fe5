// The tables of schema/clickhouse.sql, the statements that create them, and inserts into them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/connection.hpp"

namespace fendex::clickhouse {

/// The format of the tables, which is in each row of table `push`.
inline constexpr std::uint32_t kFormat = 1;

struct Column {
    std::string name;
    std::string type;      // as system.columns has it
    std::string new_type;  // the same on servers that know codecs
    std::string codec;     // "CODEC(...)" for these, or empty
};

struct Table {
    std::string name;
    std::vector<Column> columns;
    std::string engine;  // from ENGINE on
    std::string shard_by;

    /// Whether its rows are of pushes; then each push is a partition.
    [[nodiscard]] bool is_of_pushes() const;
};

/// The tables in the order of the file.
const std::vector<Table>& tables();
/// `name` is one of them.
const Table& table_named(std::string_view name);

/// Returns the name of the table that has the rows: in a cluster, on each host, NAME_shard.
std::string local_name(std::string_view table, bool is_cluster);
/// Creates the table that has the rows, unless it exists. `codecs`: the server knows codecs.
std::string create_local(const Table& table, bool is_cluster, bool codecs);
/// Creates the Distributed table over those of a cluster, unless it exists.
std::string create_distributed(const Table& table, std::string_view cluster,
                               std::string_view database);
/// Inserts rows, as RowBinary, with all columns of a table; does nothing if there are none. Returns
/// after they are stored, on the shards as well. Throws StoreError.
void insert_rows(Connection& connection, std::string_view table, std::string_view rows);

/// Settings for servers that know codecs: without them, they refuse types that are rarely useful.
Settings settings_for_types(Connection& connection);

}  // namespace fendex::clickhouse
