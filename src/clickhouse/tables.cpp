#include "clickhouse/tables.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "clickhouse/answer_row.hpp"
#include "clickhouse/client/url.hpp"
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
constexpr char kSelectHosts[] =
    "SELECT toUInt32(shard_num), toUInt32(replica_num), host_name, toUInt8(is_local)"
    " FROM system.clusters WHERE cluster IN (SELECT name FROM asked)";

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

/// A host of a cluster.
struct Host {
    std::uint32_t shard = 0;
    std::uint32_t replica = 0;
    std::string name;
    bool is_local = false;  // it is the server that answered the query

    bool is(const Host& other) const { return shard == other.shard && replica == other.replica; }
};

[[noreturn]] void throw_replicas(const Connection& connection, std::string_view cluster,
                                 std::uint32_t shard, std::ptrdiff_t replicas) {
    throw StoreError(StoreError::kOther,
                     place(connection) + ": shard " + std::to_string(shard) + " of cluster '" +
                         std::string(cluster) + "' has " + std::to_string(replicas) +
                         " replicas, which are not supported yet: each would have some of the "
                         "rows; use a cluster that has one replica in each shard");
}

/// Returns the hosts of a cluster; none if the server does not know it. Throws StoreError if a
/// shard has several.
std::vector<Host> hosts_of(Connection& connection, std::string_view cluster) {
    RowWriter name;
    name.string(cluster);
    std::vector<Host> out;
    connection.query_server(kSelectHosts, {{"asked", "name String", name.bytes()}},
                            [&](RowReader& in) {
                                AnswerRow row(connection, "system.clusters", in);
                                Host host;
                                host.shard = row.any_u32();
                                host.replica = row.any_u32();
                                host.name = row.text();
                                // The name goes into URLs.
                                if (!is_host(host.name)) row.refuse("host_name");
                                host.is_local = row.flag("is_local");
                                out.push_back(std::move(host));
                            });
    for (const Host& host : out) {
        const auto replicas =
            std::ranges::count_if(out, [&](const Host& each) { return each.shard == host.shard; });
        if (replicas != 1) throw_replicas(connection, cluster, host.shard, replicas);
    }
    return out;
}

/// Returns the host of the cluster that is the server at an endpoint: the only one with that name,
/// else the only one that the server's own list, `seen`, marks as local. Empty if neither is
/// unique.
std::optional<Host> host_at(const Endpoint& endpoint, const std::vector<Host>& seen) {
    const auto single = [&](auto fits) -> std::optional<Host> {
        const auto found = std::ranges::find_if(seen, fits);
        if (found == seen.end() || std::ranges::count_if(seen, fits) != 1) return {};
        return *found;
    };
    const std::optional<Host> named =
        single([&](const Host& each) { return each.name == endpoint.host; });
    return named ? named : single([](const Host& each) { return each.is_local; });
}

Connection connect_to(const Connection& entry, const std::string& password,
                      const Endpoint& endpoint) {
    Url url = entry.url();
    url.endpoints = {endpoint};
    return {url, password};
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
    static_cast<void>(hosts_of(connection, cluster));
}

std::vector<Connection> connect_to_hosts(Connection& entry, const std::string& password,
                                         std::string_view cluster) {
    std::vector<Connection> out;
    if (cluster.empty()) {
        out.emplace_back(entry.url(), password);
        return out;
    }
    const std::vector<Host> hosts = hosts_of(entry, cluster);
    if (hosts.empty()) {
        throw StoreError(StoreError::kAbsent, place(entry) + ": its servers know no cluster '" +
                                                  std::string(cluster) + "' (system.clusters)");
    }
    std::vector<bool> reached(hosts.size());
    const auto reach = [&](const Endpoint& endpoint, const Host* expected) {
        Connection connection = connect_to(entry, password, endpoint);
        const std::optional<Host> itself = host_at(endpoint, hosts_of(connection, cluster));
        const Host* host = itself ? &*itself : expected;
        if (host == nullptr) return;
        const auto found =
            std::ranges::find_if(hosts, [&](const Host& each) { return each.is(*host); });
        if (found == hosts.end()) return;
        const auto number = static_cast<std::size_t>(found - hosts.begin());
        if (reached[number]) return;
        reached[number] = true;
        out.push_back(std::move(connection));
    };
    for (const Endpoint& endpoint : entry.url().endpoints) reach(endpoint, nullptr);
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        if (!reached[i]) reach({hosts[i].name, entry.url().endpoints.front().port}, &hosts[i]);
        if (!reached[i]) {
            throw StoreError(StoreError::kUnreachable,
                             place(entry) + ": cluster '" + std::string(cluster) +
                                 "' has the host " + hosts[i].name + " (shard " +
                                 std::to_string(hosts[i].shard) +
                                 "), but its HTTP port is not known; name all servers: "
                                 "clickhouse://HOST:PORT,HOST:PORT/DATABASE");
        }
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
