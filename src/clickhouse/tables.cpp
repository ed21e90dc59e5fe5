#include "clickhouse/tables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/digest.hpp"
#include "clickhouse/answer_row.hpp"
#include "clickhouse/client/url.hpp"
#include "clickhouse/hosts.hpp"
#include "clickhouse/schema.hpp"
#include "store/store_error.hpp"

namespace fendex::clickhouse {

namespace {

using store::StoreError;

/// Selects the columns of all tables. A table that is distributed or replicated also has a row with
/// its engine, as a column without a name.
constexpr char kSelectTables[] =
    "SELECT table, name, type FROM system.columns WHERE database = currentDatabase()"
    " UNION ALL SELECT name, '', engine_full FROM system.tables"
    " WHERE database = currentDatabase() AND engine IN ('Distributed', 'ReplicatedMergeTree')";
/// Fails on servers without a keeper.
constexpr char kSelectKeeperTables[] =
    "SELECT count() FROM system.tables WHERE database = 'system' AND name = 'zookeeper'";
constexpr char kSelectFromKeeper[] = "SELECT count() FROM system.zookeeper WHERE path = '/'";
constexpr char kSelectFormat[] = "SELECT max(format) FROM ";

/// The types of the columns of each table, by name.
using ColumnTypes = std::map<std::string, std::map<std::string, std::string>>;

struct FoundTables {
    ColumnTypes columns;
    Layout layout;
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
    std::set<std::string> replicated;
    connection.query(kSelectTables, [&](RowReader& row) {
        const std::string table(row.string());
        const std::string name(row.string());
        const std::string_view type = row.string();
        if (!name.empty()) {
            out.columns[table][name] = type;
        } else if (type.starts_with("Replicated")) {
            replicated.insert(table);
        } else if (is_our_table(table)) {
            out.layout.cluster = cluster_of_engine(type);
        }
    });
    for (const Table& table : tables()) {
        if (table.is_added() && !out.columns.contains(table.name)) {
            out.layout.missing.push_back(table.name);
        }
    }
    out.layout.is_replicated = std::ranges::all_of(tables(), [&](const Table& table) {
        return replicated.contains(local_name(table.name, true)) || !out.layout.has(table.name);
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
                                 const std::vector<Host>& hosts, const std::string& why) {
    const auto replicas_of = [&](const Host& host) {
        return std::ranges::count(hosts, host.shard, &Host::shard);
    };
    const auto found =
        std::ranges::find_if(hosts, [&](const Host& host) { return replicas_of(host) > 1; });
    const std::uint32_t shard = found->shard;
    const auto replicas = replicas_of(*found);
    throw StoreError(StoreError::kOther, place(connection) + ": shard " + std::to_string(shard) +
                                             " of cluster '" + std::string(cluster) + "' has " +
                                             std::to_string(replicas) + " replicas, but " + why);
}

bool is_records_mark(const Table& table, const Column& column) {
    return table.name == "push" && column.name == "records_mark";
}

/// Returns whether tables that an older fendex made lack the column.
bool is_added(const Table& table, const Column& column) {
    return (table.name == "push" && column.name == "replaces") || is_records_mark(table, column);
}

/// Throws StoreError unless all tables that are not added are there, and have all columns with the
/// right types.
void require_columns(Connection& connection, const ColumnTypes& columns, OlderTables older) {
    // The tables of a newer program may differ, so the format is checked first. (A snapshot always
    // refuses newer pushes.)
    const auto refuse = [&](const std::string& what) {
        require_format(connection, columns, "push");
        throw_altered(connection, what);
    };
    for (const Table& table : tables()) {
        const auto stored = columns.find(table.name);
        if (stored == columns.end()) {
            // A push that was killed may have made only some.
            if (table.is_added() || older == OlderTables::kAccept) continue;
            refuse("table " + table.name + " is missing; another push makes it");
        }
        for (const Column& column : table.columns) {
            const std::string name = "column " + table.name + '.' + column.name;
            const auto type = stored->second.find(column.name);
            if (type == stored->second.end()) {
                if (!is_added(table, column)) refuse(name + " is missing");
                if (older == OlderTables::kAccept) continue;
                if (older == OlderTables::kRead && is_records_mark(table, column) &&
                    !columns.contains(kRecords)) {
                    continue;
                }
                throw StoreError(StoreError::kOlderFormat,
                                 place(connection) + ": its tables were made by an older fendex (" +
                                     name + " is missing); `fendex push DB " + place(connection) +
                                     "` adds what they lack");
            }
            if (type->second != column.type && type->second != column.new_type) {
                refuse(name + " has type " + type->second + " instead of " + column.type);
            }
        }
    }
}

/// Throws unless a server has a keeper that answers, if a shard has several replicas.
void require_keeper(Connection& connection, std::string_view cluster,
                    const std::vector<Host>& hosts) {
    if (!have_replicas(hosts)) return;
    std::uint64_t has_keeper = 0;
    connection.query_server(kSelectKeeperTables, {},
                            [&](RowReader& row) { has_keeper = row.u64(); });
    if (has_keeper == 0) {
        throw_replicas(connection, cluster, hosts,
                       "this server has no keeper (ZooKeeper or ClickHouse Keeper), by which "
                       "replicas copy rows from one another: add one to its configuration, or use "
                       "a cluster that has one replica in each shard");
    }
    try {
        connection.query_server(kSelectFromKeeper, {}, [](RowReader& row) { row.u64(); });
    } catch (const StoreError& error) {
        if (error.kind() == StoreError::kUnreachable) throw;
        throw_replicas(connection, cluster, hosts,
                       std::string("this server's keeper does not answer; run this again when it "
                                   "does: ") +
                           error.what());
    }
}

/// Returns a text for a path of a keeper and for SQL: letters, digits and a few signs, others as
/// hexadecimal digits.
std::string path_part(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                           (c >= 'a' && c <= 'z') || c == '_' || c == '-' || c == '.';
        out += plain ? std::string(1, c) : '%' + base::hex_of({&c, 1});
    }
    return out;
}

/// Returns the arguments of ReplicatedMergeTree: the path in the keeper that the replicas of a
/// shard share, and the replica's name there. The numbers are those of the cluster, so that no
/// macros are needed.
std::string replica_arguments(const Table& table, std::string_view cluster,
                              std::string_view database, const Host& host) {
    return "'/fendex/" + path_part(cluster) + '/' + std::string(database) + '/' +
           std::to_string(host.shard) + '/' + table.name + "', '" + path_part(host.name) + '-' +
           std::to_string(host.replica) + "'";
}

/// Adds the columns that an older program did not make. `name`: of the table on this server.
void add_columns(Connection& connection, const Table& table, const std::string& name,
                 const ColumnTypes& columns) {
    for (const Column& column : table.columns) {
        if (!is_added(table, column) || columns.at(name).contains(column.name)) continue;
        // Another replica may have added it since, for this one, too.
        if (tables_of_database(connection).columns.at(name).contains(column.name)) continue;
        connection.run("ALTER TABLE " + name + " ADD COLUMN " + column.name + ' ' + column.type, {},
                       {{"replication_alter_partitions_sync", "2"}});
    }
}

}  // namespace

Layout require_tables(Connection& connection, OlderTables older) {
    auto [columns, layout] = tables_of_database(connection);
    if (!has_any_table(columns)) {
        throw StoreError(StoreError::kAbsent, place(connection) +
                                                  ": has no tables of fendex; `fendex push DB " +
                                                  place(connection) + "` makes them");
    }
    require_columns(connection, columns, older);
    if (layout.is_cluster()) {
        const std::vector<Host> hosts = hosts_of(connection, layout.cluster);
        layout.sharding = sharding_of(hosts);
        if (!layout.is_replicated && have_replicas(hosts)) {
            throw_replicas(connection, layout.cluster, hosts,
                           "its tables are not replicated: each replica would have some of the "
                           "rows; push to another database, whose tables will be");
        }
    }
    return layout;
}

std::optional<Layout> layout_of_tables(Connection& connection) {
    auto [columns, layout] = tables_of_database(connection);
    return has_any_table(columns) ? std::optional(layout) : std::nullopt;
}

void require_keeper(Connection& connection, std::string_view cluster) {
    require_keeper(connection, cluster, hosts_of(connection, cluster));
}

std::vector<Server*> Servers::of_shards() {
    std::vector<Server*> out;
    for (Server& server : present) {
        if (out.empty() || out.back()->host.shard != server.host.shard) out.push_back(&server);
    }
    return out;
}

Servers connect_to_servers(Connection& entry, std::string_view cluster) {
    Servers out;
    if (cluster.empty()) {
        out.present.push_back({{}, entry.again()});
        return out;
    }
    HostFinder finder(entry, cluster);
    const std::vector<Host>& hosts = finder.hosts();
    if (hosts.empty()) {
        throw StoreError(StoreError::kAbsent, place(entry) + ": its servers know no cluster '" +
                                                  std::string(cluster) + "' (system.clusters)");
    }
    out.have_replicas = have_replicas(hosts);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        if (Connection* const connection = finder.connection(i)) {
            require_keeper(*connection, cluster, hosts);
            out.present.push_back({hosts[i], std::move(*connection)});
        } else {
            out.away.push_back(hosts[i]);
        }
        const bool is_last = i + 1 == hosts.size() || hosts[i + 1].shard != hosts[i].shard;
        if (is_last && (out.present.empty() || out.present.back().host.shard != hosts[i].shard)) {
            finder.throw_not_found(i);
        }
    }
    return out;
}

void create_tables(Servers& servers, std::string_view cluster) {
    const bool is_cluster = !cluster.empty();
    std::vector<ColumnTypes> columns;  // of each server
    for (auto& [host, connection] : servers.present) {
        connection.create_database();
        columns.push_back(tables_of_database(connection).columns);
        require_format(connection, columns.back(), local_name("push", is_cluster));
    }
    for (std::size_t i = 0; i < servers.present.size(); ++i) {
        auto& [host, connection] = servers.present[i];
        const Settings settings = settings_for_types(connection);
        for (const Table& table : tables()) {
            if (columns[i].contains(local_name(table.name, is_cluster))) {
                add_columns(connection, table, local_name(table.name, is_cluster), columns[i]);
                continue;
            }
            const std::string replica =
                servers.have_replicas
                    ? replica_arguments(table, cluster, connection.url().database, host)
                    : std::string();
            connection.run(create_local(table, is_cluster, connection.is_new(), replica), {},
                           settings);
        }
    }
    for (std::size_t i = 0; is_cluster && i < servers.present.size(); ++i) {
        Connection& connection = servers.present[i].connection;
        for (const Table& table : tables()) {
            if (columns[i].contains(table.name)) {
                add_columns(connection, table, table.name, columns[i]);
                continue;
            }
            connection.run(create_distributed(table, cluster, connection.url().database));
        }
    }
    for (std::size_t i = 0; i < servers.present.size(); ++i) {
        for (const View& view : views()) {
            if (columns[i].contains(view.name)) continue;
            servers.present[i].connection.run(create_view(view));
        }
    }
}

}  // namespace fendex::clickhouse
