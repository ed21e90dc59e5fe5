// Creates and checks the tables of a database in ClickHouse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/connection.hpp"

namespace fendex::clickhouse {

/// Throws StoreError unless the database has fendex's tables, which this program can read: kAbsent
/// if there are none, kNewerFormat if a newer program wrote them, kDamaged if tables or columns are
/// missing or have other types, kOther like refuse_replicas(). (Without the database itself,
/// kAbsent as well.) Returns the cluster over which the tables are distributed; empty if they are
/// on one server. Asks one question, and a second one if there is a cluster.
std::string require_tables(Connection& connection);

/// Returns the cluster over which the tables are distributed, or the empty name if they are on one
/// server; no value if there are none.
std::optional<std::string> cluster_of_tables(Connection& connection);

/// Throws StoreError (kOther) if a shard of the cluster has several replicas: push would write each
/// row to one of them, and an answer would lack the rows of the others. A cluster that the server
/// does not know has none. The URL's database need not exist.
void refuse_replicas(Connection& connection, std::string_view cluster);

/// Returns connections to all servers that have rows: to each host of the cluster, or, if `cluster`
/// is empty, to the server of `entry`. A host is taken to have the HTTP port that the URL gives it,
/// or else the port of the URL's first server. Throws StoreError like refuse_replicas(), and if
/// there is no such cluster, or a host of it cannot be reached.
std::vector<Connection> connect_to_hosts(Connection& entry, const std::string& password,
                                         std::string_view cluster);

/// Creates the tables that are missing, on all hosts. Throws StoreError (kNewerFormat) if a newer
/// program made those that are there.
void create_tables(std::vector<Connection>& hosts, std::string_view cluster);

}  // namespace fendex::clickhouse
