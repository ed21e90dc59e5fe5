// The tables of schema/clickhouse.sql and the views of schema/clickhouse_views.sql, the statements
// that create them, and inserts into the tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/connection.hpp"

namespace fendex::clickhouse {

/// The format of the tables, which is in each row of table `push`.
inline constexpr std::uint32_t kFormat = 4;

/// Tables of sums.
inline constexpr char kPositionSums[] = "position_sum";
inline constexpr char kFineSums[] = "fine_sum";
/// The table of records of positions.
inline constexpr char kRecords[] = "record";

struct Column {
    std::string name;
    std::string type;      // as in system.columns
    std::string new_type;  // as in system.columns of servers that know codecs
    std::string codec;     // "CODEC(...)" for these, or empty
};

struct Table {
    std::string name;
    std::vector<Column> columns;
    std::string engine;  // from ENGINE on
    std::string shard_by;

    /// Returns whether its rows belong to pushes. If so, each push is a partition.
    [[nodiscard]] bool is_of_pushes() const;
    /// Returns whether older programs did not make it. Answers do without it: its rows repeat what
    /// other tables have, or older programs pushed no such rows.
    [[nodiscard]] bool is_added() const { return name == kFineSums || name == kRecords; }
};

struct View {
    std::string name;
    std::string select;
};

/// Where the tables of a database are.
struct Layout {
    std::string cluster;         // over which they are distributed; empty: they are on one server
    bool is_replicated = false;  // the tables of a shard are on all its replicas
    std::uint64_t sharding = 0;  // sharding_of() the hosts
    std::vector<std::string> missing = {};  // tables that an older program did not make

    [[nodiscard]] bool is_cluster() const { return !cluster.empty(); }
    [[nodiscard]] bool has(std::string_view table) const {
        return std::ranges::find(missing, table) == missing.end();
    }
};

/// Returns the tables in the order of the file.
const std::vector<Table>& tables();
/// Returns the table of this name, which must exist.
const Table& table_named(std::string_view name);

/// Returns the views in the order of the file: each uses only those before it.
const std::vector<View>& views();

/// Returns the columns of a table from one on, which must exist.
std::vector<Column> columns_from(const Table& table, std::string_view first);

/// Returns the name of the table that has the rows: NAME, or NAME_shard on the hosts of a cluster.
std::string local_name(std::string_view table, bool is_cluster);
/// Returns the statement that creates the table that has the rows, unless it exists. `codecs`: the
/// server knows codecs. `replica`: the arguments of ReplicatedMergeTree, empty for MergeTree.
std::string create_local(const Table& table, bool is_cluster, bool codecs,
                         std::string_view replica = {});
/// Returns the statement that creates the Distributed table over those of a cluster, unless it
/// exists.
std::string create_distributed(const Table& table, std::string_view cluster,
                               std::string_view database);
/// Returns the statement that creates a view, unless it exists.
std::string create_view(const View& view);
/// Inserts rows, as RowBinary, with all columns of a table. Does nothing if there are none. Returns
/// after the rows are stored, also on the shards. Throws StoreError.
void insert_rows(Connection& connection, std::string_view table, std::string_view rows);

/// Returns settings for creating tables. Without them, servers that know codecs refuse some types.
Settings settings_for_types(Connection& connection);

}  // namespace fendex::clickhouse
