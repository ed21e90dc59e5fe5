// Creates and checks the tables of a database in ClickHouse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/hosts.hpp"
#include "clickhouse/schema.hpp"

namespace fendex::clickhouse {

/// Whether tables are accepted that lack what create_tables() adds.
enum class OlderTables {
    kRefuse,
    kRead,    // if they lack columns, and questions do without these
    kAccept,  // if they lack columns, or if some tables are missing
};

/// Returns where fendex's tables are. Throws StoreError: kAbsent if the database or the tables are
/// missing, kNewerFormat if a newer program wrote them, kOlderFormat if an older one made them,
/// kDamaged if tables or columns are missing or have other types (but not for Layout::missing),
/// kOther if a shard has several replicas and the tables are not replicated: each replica would
/// have some of the rows. Sends one query, and a second one if there is a cluster.
Layout require_tables(Connection& connection, OlderTables older = OlderTables::kRefuse);

/// Like require_tables(), but does not check the tables; no value if there are none.
std::optional<Layout> layout_of_tables(Connection& connection);

/// Throws StoreError (kOther) if a shard of the cluster has several replicas and this server has no
/// keeper (ZooKeeper), by which replicas copy rows from one another. Accepts a cluster that the
/// server does not know. The URL's database may be missing.
void require_keeper(Connection& connection, std::string_view cluster);

/// The servers that have rows.
struct Servers {
    std::vector<Server> present;  // by shard and replica
    std::vector<Host> away;       // replicas that do not answer; another one of their shard does
    bool have_replicas = false;

    /// Returns the first server of each shard.
    [[nodiscard]] std::vector<Server*> of_shards();
};

/// Connects to each host of the cluster or, if `cluster` is empty, to the server of `entry`. The
/// HTTP port of a host is the one in the URL, else that of the URL's first server. Throws
/// StoreError like require_keeper(), and if there is no such cluster or no server of a shard can be
/// reached.
Servers connect_to_servers(Connection& entry, std::string_view cluster);

/// Creates missing tables and views on the servers; replicated tables if a shard has several
/// replicas. Adds
/// columns to tables that an older program made. Throws StoreError (kNewerFormat) if a newer
/// program made the existing ones.
void create_tables(Servers& servers, std::string_view cluster);

}  // namespace fendex::clickhouse
