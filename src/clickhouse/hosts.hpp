// The servers of a cluster, and connections to each of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clickhouse/client/connection.hpp"

namespace fendex::clickhouse {

/// A server of a cluster, as system.clusters has it.
struct Host {
    std::uint32_t shard = 0;  // shards and their replicas are numbered from 1
    std::uint32_t replica = 0;
    std::uint32_t weight = 0;  // of the shard
    std::string name;
    bool is_local = false;  // its shard has the server that answered the query

    [[nodiscard]] bool is(const Host& other) const {
        return shard == other.shard && replica == other.replica;
    }
};

/// Returns the hosts of a cluster by shard and replica; none if the server does not know it. The
/// URL's database may be missing.
[[nodiscard]] std::vector<Host> hosts_of(Connection& connection, std::string_view cluster);

/// Returns whether a server answers a query.
[[nodiscard]] bool answers(Connection& server);

/// Returns whether a shard has several replicas.
[[nodiscard]] bool have_replicas(const std::vector<Host>& hosts);

/// Returns a number that tells how rows are spread over shards: by their order and weights.
[[nodiscard]] std::uint64_t sharding_of(const std::vector<Host>& hosts);

/// A server of a cluster that answers.
struct Server {
    Host host;
    Connection connection;
};

/// Finds the server of each host. A host has the HTTP port that the URL of the entry gives it, else
/// that of the URL's first server. One thread.
class HostFinder {
  public:
    /// Queries the hosts. `entry` and `cluster` must outlive the object.
    HostFinder(Connection& entry, std::string_view cluster);

    [[nodiscard]] const std::vector<Host>& hosts() const { return hosts_; }
    /// Returns the connection to the host with this index, which the finder keeps; nullptr if its
    /// server cannot be found. Connects at the first call.
    [[nodiscard]] Connection* connection(std::size_t host);
    /// Throws StoreError (kUnreachable): the host was not found.
    [[noreturn]] void throw_not_found(std::size_t host) const;

  private:
    void reach(const Endpoint& endpoint, std::size_t expected);

    Connection& entry_;
    std::string_view cluster_;
    std::vector<Host> hosts_;
    std::vector<std::unique_ptr<Connection>> found_;  // by host
    std::vector<Endpoint> tried_;
    std::exception_ptr unreachable_;  // why a server could not be reached, if one could not
};

}  // namespace fendex::clickhouse
