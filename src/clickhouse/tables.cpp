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

constexpr char kSelectColumns[] =
    "SELECT table, name, type FROM system.columns WHERE database = currentDatabase()";
constexpr char kSelectFormat[] = "SELECT max(format) FROM ";
constexpr char kSelectEngine[] =
    "SELECT name, engine_full FROM system.tables"
    " WHERE database = currentDatabase() AND engine = 'Distributed'";
constexpr char kSelectHosts[] =
    "SELECT toUInt32(shard_num), toUInt32(replica_num), host_name, toUInt8(is_local)"
    " FROM system.clusters WHERE cluster IN (SELECT name FROM asked)";

/// The types of the columns of each table, by name.
using ColumnTypes = std::map<std::string, std::map<std::string, std::string>>;

ColumnTypes columns_of_database(Connection& connection) {
    ColumnTypes out;
    connection.query(kSelectColumns, [&](RowReader& row) {
        const std::string table(row.string());
        const std::string name(row.string());
        out[table][name] = row.string();
    });
    return out;
}

bool is_our_table(std::string_view name) {
    return std::any_of(tables().begin(), tables().end(),
                       [&](const Table& table) { return table.name == name; });
}

bool has_any_table(const ColumnTypes& columns) {
    return std::any_of(tables().begin(), tables().end(),
                       [&](const Table& table) { return columns.contains(table.name); });
}

std::string place(const Connection& connection) { return to_text(connection.url()); }

[[noreturn]] void throw_altered(const Connection& connection, const std::string& what) {
    throw StoreError(StoreError::kDamaged,
                     place(connection) + ": its tables are not as fendex made them: " + what);
}

/// `table`: the ledger, or a shard's part of it.
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
    bool is_local = false;  // it is the server that was asked

    bool is(const Host& other) const { return shard == other.shard && replica == other.replica; }
};

std::vector<Host> hosts_of(Connection& connection, std::string_view cluster) {
    RowWriter name;
    name.string(cluster);
    std::vector<Host> out;
    read_rows(connection, "system.clusters", kSelectHosts,
              {{"asked", "name String", name.bytes()}}, [&](AnswerRow& row) {
                  Host host;
                  host.shard = row.any_u32();
                  host.replica = row.any_u32();
                  host.name = row.text();
                  // It goes into URLs.
                  if (!is_host(host.name)) row.refuse("host_name");
                  host.is_local = row.flag("is_local");
                  out.push_back(std::move(host));
              });
    return out;
}

/// Returns which host of the cluster the server at an endpoint is: the one of that name, or, if
/// several have it or none, the one that the server itself marks in its list `seen`.
std::optional<Host> host_at(const Endpoint& endpoint, const std::vector<Host>& seen) {
    const auto single = [&](auto fits) -> std::optional<Host> {
        const auto found = std::find_if(seen.begin(), seen.end(), fits);
        if (found == seen.end() || std::count_if(seen.begin(), seen.end(), fits) != 1) return {};
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

}  // namespace

void require_tables(Connection& connection) {
    const ColumnTypes columns = columns_of_database(connection);
    if (!has_any_table(columns)) {
        throw StoreError(StoreError::kAbsent, place(connection) +
                                                  ": has no tables of fendex; `fendex push DB " +
                                                  place(connection) + "` makes them");
    }
    // Tables of a newer program may differ. (A snapshot refuses newer pushes in any case.)
    const auto refuse = [&](const std::string& what) {
        require_format(connection, columns, "push");
        throw_altered(connection, what);
    };
    for (const Table& table : tables()) {
        const auto stored = columns.find(table.name);
        if (stored == columns.end()) refuse("table " + table.name + " is missing");
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

bool has_tables(Connection& connection) { return has_any_table(columns_of_database(connection)); }

std::string cluster_of_tables(Connection& connection) {
    std::string engine;
    connection.query(kSelectEngine, [&](RowReader& row) {
        const std::string name(row.string());
        const std::string full(row.string());
        if (is_our_table(name)) engine = full;
    });
    // Distributed(two, chess, posting_shard, key); new servers put quotes around names.
    const std::size_t open = engine.find('(');
    const std::size_t end = engine.find(',');
    if (open == std::string::npos || end == std::string::npos) return {};
    std::string name = engine.substr(open + 1, end - open - 1);
    std::erase_if(name, [](char c) { return c == '\'' || c == '`' || c == ' '; });
    return name;
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
        connection.create_database();
        const std::optional<Host> itself = host_at(endpoint, hosts_of(connection, cluster));
        const Host* host = itself ? &*itself : expected;
        if (host == nullptr) return;
        const auto found = std::find_if(hosts.begin(), hosts.end(),
                                        [&](const Host& each) { return each.is(*host); });
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
        columns.push_back(columns_of_database(host));
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
