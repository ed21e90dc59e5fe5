// Reads the tables of the ledger: `source` and `import_error`. Uses the connection of a reader, in
// its thread and snapshot. Damage is thrown as StoreError.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/sqlite/file/connection.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

// Like the functions of StoreReader.
std::vector<StoredSource> read_sources(const Connection& connection);
void for_each_error(const Connection& connection,
                    const std::function<bool(const StoredError&)>& visit);
std::optional<std::string> broken_game(const Connection& connection, std::int64_t error);

}  // namespace fendex::store
