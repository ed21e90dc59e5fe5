// ClickHouse servers that tests ask: those that ctest's fixture started (servers.py), or, if a test
// program runs by itself, servers of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "support/process.hpp"

namespace fendex::test {

/// Not scoped, so that GENERATE(kOneServer, kTwoShards, kNewEngine) is short.
enum ServerKind {
    kOneServer,  // Debian's clickhouse-server, 18.16
    kTwoShards,  // two of them, shards of the cluster "two"
    kNewEngine,  // npm's chdb, 26.7
    kReplicas,   // the servers of kTwoShards, with ZooKeeper, as replicas of the cluster "copies"
};

/// The servers that a slow test asks, with the tag [full]: all of them at full size, otherwise this
/// one. GENERATE(from_range(at_full_size_all(kNewEngine)))
std::vector<ServerKind> at_full_size_all(ServerKind quick);

/// An empty database on a server that tests share; on each shard if there are two. Removed when the
/// object is destroyed.
class TestDatabase {
  public:
    explicit TestDatabase(ServerKind kind);
    ~TestDatabase();
    TestDatabase(const TestDatabase&) = delete;
    TestDatabase& operator=(const TestDatabase&) = delete;

    /// False: there is no such server on this machine. The test has been marked as skipped and must
    /// return.
    [[nodiscard]] bool is_there() const { return !hosts_.empty(); }

    /// clickhouse://127.0.0.1:PORT/NAME, of the first server if there are two.
    [[nodiscard]] std::string url(const std::string& user = "") const;
    /// The name for --cluster: "two", "copies", or empty.
    [[nodiscard]] std::string cluster() const {
        if (kind_ == kReplicas) return "copies";
        return kind_ == kTwoShards ? "two" : "";
    }
    [[nodiscard]] const std::string& name() const { return name_; }

    /// A server's address with TLS, and the file that a machine needs to trust its certificate.
    struct Tls {
        std::string url;
        std::string certificate;
    };
    /// Returns those of kOneServer; nothing if it has no certificate. Then the test has been marked
    /// as skipped and must return.
    [[nodiscard]] std::optional<Tls> tls() const;

    /// "127.0.0.1:PORT", one for each server.
    [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }

    [[nodiscard]] clickhouse::Connection connect(const std::string& user = "",
                                                 const std::string& password = "") const;

  private:
    ServerKind kind_;
    std::string name_;
    std::vector<std::string> hosts_;
};

/// Servers that one test starts, kills or fills. They end with the object.
class OwnServers {
  public:
    explicit OwnServers(ServerKind kind);
    ~OwnServers();
    OwnServers(const OwnServers&) = delete;
    OwnServers& operator=(const OwnServers&) = delete;

    [[nodiscard]] bool is_there() const { return !hosts_.empty(); }
    [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }
    /// A URL of the first server. The database is not created.
    [[nodiscard]] std::string url(const std::string& database) const;
    /// A URL of all servers.
    [[nodiscard]] std::string url_of_all(const std::string& database) const;

    /// Kills a server (SIGKILL); they are numbered from 0.
    void kill(std::size_t number);
    /// Starts it again on its data, and returns when it answers.
    void restart(std::size_t number);
    /// Adds the second server to the cluster "grown", which begins with the first as its only
    /// shard, and returns when both know it. Only of kTwoShards.
    void grow();

  private:
    /// Asks the script that keeps the servers, and waits until it has done it.
    void ask(const std::string& what, const std::string& text) const;

    ServerKind kind_;
    TemporaryDirectory directory_;
    std::vector<std::string> hosts_;
};

}  // namespace fendex::test
