// Reads table `source`, the ledger of what was imported. Uses the connection of a reader, in its
// thread and snapshot.
#pragma once

#include <vector>

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

class SourceReader {
  public:
    explicit SourceReader(const Connection& connection);

    std::vector<StoredSource> all();

  private:
    Statement select_;
};

}  // namespace fendex::store
