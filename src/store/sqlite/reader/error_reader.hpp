// Reads table `import_error`. Uses the connection of a reader, in its thread and snapshot. Damage
// is thrown as StoreError.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "store/sqlite/file/connection.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

class ErrorReader {
  public:
    explicit ErrorReader(const Connection& connection);

    void for_each(const std::function<bool(const StoredError&)>& visit);
    std::optional<std::string> broken_game(std::int64_t error);

  private:
    const Connection* connection_;
    Statement scan_;
    Statement select_pgn_;
};

}  // namespace fendex::store
