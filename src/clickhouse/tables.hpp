// Creates and checks the tables of a database in ClickHouse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/connection.hpp"

namespace fendex::clickhouse {

/// Returns the cluster over which fendex's tables are distributed; empty if they are on one server.
/// Throws StoreError: kAbsent if the database or the tables are missing, kNewerFormat if a newer
/// program wrote them, kDamaged if tables or columns are missing or have other types, kOther like
/// refuse_replicas(). Sends one query, and a second one if there is a cluster.
std::string require_tables(Connection& connection);

/// Returns the cluster over which the tables are distributed; an empty text if they are on one
/// server; no value if there are no tables.
std::optional<std::string> cluster_of_tables(Connection& connection);

/// Throws StoreError (kOther) if a shard of the cluster has several replicas: push would write each
/// row to one of them, and an answer would lack the rows of the others. Accepts a cluster that the
/// server does not know. The URL's database may be missing.
void refuse_replicas(Connection& connection, std::string_view cluster);

/// Returns connections to all servers that have rows: to each host of the cluster or, if `cluster`
/// is empty, to the server of `entry`. The HTTP port of a host is the one in the URL, else that of
/// the URL's first server. Throws StoreError like refuse_replicas(), and if there is no such
/// cluster or one of its hosts cannot be reached.
std::vector<Connection> connect_to_hosts(Connection& entry, std::string_view cluster);

/// Creates missing tables on all hosts. Throws StoreError (kNewerFormat) if a newer program made
/// the existing ones.
void create_tables(std::vector<Connection>& hosts, std::string_view cluster);

}  // namespace fendex::clickhouse
