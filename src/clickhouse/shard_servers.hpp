// The shards of a cluster by keys of positions, for servers that send each query to all shards:
// this program asks the shard that has the rows. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "clickhouse/hosts.hpp"

namespace fendex::clickhouse {

class ShardServers {
  public:
    /// Queries the hosts of the cluster. `entry` must outlive the object.
    ShardServers(Connection& entry, std::string cluster);

    /// Returns the server of the shard that has all rows with these keys; nullptr if several shards
    /// have some, if the shard has several replicas, or if its server cannot be reached or refuses
    /// the user: then the entry must be asked.
    [[nodiscard]] Connection* server_of(std::span<const std::uint64_t> keys);

  private:
    std::string cluster_;
    HostFinder finder_;
    std::vector<std::size_t> places_;  // hosts; a key has the place of its remainder
    std::vector<bool> gone_;           // hosts that cannot be asked
};

}  // namespace fendex::clickhouse
