// The tables of schema/clickhouse.sql, and the statements that create them. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::clickhouse {

/// The format of the tables, which is in each row of table `push`.
inline constexpr std::uint32_t kFormat = 1;

struct Column {
    std::string name;
    std::string type;   // as system.columns has it
    std::string codec;  // "CODEC(...)" for servers that know codecs, or empty
};

struct Table {
    std::string name;
    std::vector<Column> columns;
    std::string engine;  // from ENGINE on
    std::string shard_by;
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
/// Returns "INSERT INTO name (columns)" for rows with all columns.
std::string insert_into(const Table& table);

}  // namespace fendex::clickhouse
