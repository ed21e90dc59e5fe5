#include "clickhouse/tables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/client/url.hpp"
#include "clickhouse/hosts.hpp"
#include "clickhouse/schema.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

using store::StoreError;

/// Selects the columns of all tables. A Distributed table also has a row with its engine, as a
/// column without a name.
constexpr char kSelectTables[] =
    "SELECT table, name, type FROM system.columns WHERE database = currentDatabase()"
    " UNION ALL SELECT name, '', engine_full FROM system.tables"
    " WHERE database = currentDatabase() AND engine = 'Distributed'";
constexpr char kSelectFormat[] = "SELECT max(format) FROM ";

/// The types of the columns of each table, by name.
using ColumnTypes = std::map<std::string, std::map<std::string, std::string>>;

struct FoundTables {
    ColumnTypes columns;
    std::string cluster;  // the one over which they are distributed, or empty
};

bool is_our_table(std::string_view name) {
    return std::ranges::any_of(tables(), [&](const Table& table) { return table.name == name; });
}

/// Returns the cluster of Distributed(two, chess, posting_shard, key). New servers put quotes
/// around names.
std::string cluster_of_engine(std::string_view engine) {
    const std::size_t open = engine.find('(');
    const std::size_t end = engine.find(',');
    if (open >= end || end == std::string_view::npos) return {};
    std::string name(engine.substr(open + 1, end - open - 1));
    std::erase_if(name, [](char c) { return c == '\'' || c == '`' || c == ' '; });
    return name;
}

FoundTables tables_of_database(Connection& connection) {
    FoundTables out;
    connection.query(kSelectTables, [&](RowReader& row) {
        const std::string table(row.string());
        const std::string name(row.string());
        const std::string_view type = row.string();
        if (!name.empty()) {
            out.columns[table][name] = type;
        } else if (is_our_table(table)) {
            out.cluster = cluster_of_engine(type);
        }
    });
    return out;
}

bool has_any_table(const ColumnTypes& columns) {
    return std::ranges::any_of(tables(),
                               [&](const Table& table) { return columns.contains(table.name); });
}

std::string place(const Connection& connection) { return to_text(connection.url()); }

[[noreturn]] void throw_altered(const Connection& connection, const std::string& what) {
    throw store::DamageError(place(connection) +
                             ": its tables are not as fendex made them: " + what);
}

/// Throws StoreError if a newer program wrote to the database. `table` is the ledger, or a shard's
/// part of it.
void require_format(Connection& connection, const ColumnTypes& columns, const std::string& table) {
    const auto push = columns.find(table);
    if (push == columns.end() || !push->second.contains("format")) return;
    std::uint32_t format = 0;
    connection.query(kSelectFormat + table, [&](RowReader& row) { format = row.u32(); });
    if (format > kFormat) {
        throw StoreError(StoreError::kNewerFormat,
                         place(connection) + ": was written by a newer fendex (format " +
                             std::to_string(format) + "; this one reads " +
                             std::to_string(kFormat) + ")");
    }
}

[[noreturn]] void throw_replicas(const Connection& connection, std::string_view cluster,
                                 std::uint32_t shard, std::ptrdiff_t replicas) {
    throw StoreError(StoreError::kOther,
                     place(connection) + ": shard " + std::to_string(shard) + " of cluster '" +
                         std::string(cluster) + "' has " + std::to_string(replicas) +
                         " replicas, which are not supported yet: each would have some of the "
                         "rows; use a cluster that has one replica in each shard");
}

/// Throws StoreError unless all tables have all columns with the right types.
void require_columns(Connection& connection, const ColumnTypes& columns) {
    // The tables of a newer program may differ, so the format is checked first. (A snapshot always
    // refuses newer pushes.)
    const auto refuse = [&](const std::string& what) {
        require_format(connection, columns, "push");
        throw_altered(connection, what);
    };
    for (const Table& table : tables()) {
        const auto stored = columns.find(table.name);
        if (stored == columns.end())
            refuse("table " + table.name + " is missing; another push makes it");
        for (const Column& column : table.columns) {
            const std::string name = "column " + table.name + '.' + column.name;
            const auto type = stored->second.find(column.name);
            if (type == stored->second.end()) refuse(name + " is missing");
            if (type->second != column.type && type->second != column.new_type) {
                refuse(name + " has type " + type->second + " instead of " + column.type);
            }
        }
    }
}

void refuse_replicas(const Connection& connection, std::string_view cluster,
                     const std::vector<Host>& hosts) {
    for (const Host& host : hosts) {
        const auto replicas = std::ranges::count(hosts, host.shard, &Host::shard);
        if (replicas != 1) throw_replicas(connection, cluster, host.shard, replicas);
    }
}

}  // namespace

std::string require_tables(Connection& connection) {
    const auto [columns, cluster] = tables_of_database(connection);
    if (!has_any_table(columns)) {
        throw StoreError(StoreError::kAbsent, place(connection) +
                                                  ": has no tables of fendex; `fendex push DB " +
                                                  place(connection) + "` makes them");
    }
    require_columns(connection, columns);
    if (!cluster.empty()) refuse_replicas(connection, cluster);
    return cluster;
}

std::optional<std::string> cluster_of_tables(Connection& connection) {
    const auto [columns, cluster] = tables_of_database(connection);
    return has_any_table(columns) ? std::optional(cluster) : std::nullopt;
}

void refuse_replicas(Connection& connection, std::string_view cluster) {
    refuse_replicas(connection, cluster, hosts_of(connection, cluster));
}

std::vector<Connection> connect_to_hosts(Connection& entry, std::string_view cluster) {
    std::vector<Connection> out;
    if (cluster.empty()) {
        out.push_back(entry.again());
        return out;
    }
    HostFinder finder(entry, cluster);
    if (finder.hosts().empty()) {
        throw StoreError(StoreError::kAbsent, place(entry) + ": its servers know no cluster '" +
                                                  std::string(cluster) + "' (system.clusters)");
    }
    refuse_replicas(entry, cluster, finder.hosts());
    for (std::size_t i = 0; i < finder.hosts().size(); ++i) {
        Connection* const connection = finder.connection(i);
        if (connection == nullptr) finder.throw_not_found(i);
        out.push_back(std::move(*connection));
    }
    return out;
}

void create_tables(std::vector<Connection>& hosts, std::string_view cluster) {
    const bool is_cluster = !cluster.empty();
    std::vector<ColumnTypes> columns;  // of each host
    for (Connection& host : hosts) {
        host.create_database();
        columns.push_back(tables_of_database(host).columns);
        require_format(host, columns.back(), local_name("push", is_cluster));
    }
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        const Settings settings = settings_for_types(hosts[i]);
        for (const Table& table : tables()) {
            if (columns[i].contains(local_name(table.name, is_cluster))) continue;
            hosts[i].run(create_local(table, is_cluster, hosts[i].is_new()), {}, settings);
        }
    }
    if (!is_cluster) return;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        for (const Table& table : tables()) {
            if (columns[i].contains(table.name)) continue;
            hosts[i].run(create_distributed(table, cluster, hosts[i].url().database));
        }
    }
}

}  // namespace fendex::clickhouse
