// Which servers of a cluster answer. It remembers the servers that it has seen, so that it can name
// them when the one that lists them is away. Any thread.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "clickhouse/client/connection.hpp"
#include "store/store.hpp"

namespace fendex::clickhouse {

class HealthOfServers {
  public:
    /// Asks each server of the cluster over which the database of the entry is spread, or those of
    /// the entry's URL if it is on one. A server that has not answered after some seconds counts
    /// as away, and so does one that refuses the user. Does not throw StoreError.
    [[nodiscard]] std::vector<store::ServerState> look(Connection entry);

  private:
    std::mutex mutex_;
    std::vector<Endpoint> known_;
};

}  // namespace fendex::clickhouse
