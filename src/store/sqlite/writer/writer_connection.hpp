// Opens the connection of a writer, and creates its file if needed.
#pragma once

#include <chrono>
#include <string>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Switches a database that an earlier fendex left without a write-ahead log to that mode. This
/// needs a moment without other readers: waits at most `wait` for it, then throws StoreError. Does
/// nothing if the database is in that mode.
void use_log(Connection& connection,
             std::chrono::milliseconds wait = std::chrono::milliseconds(kBusyTimeoutMs));

/// Opens a database for writing. Creates it if the file does not exist or is empty. Every commit
/// will be durable. Throws StoreError if the file is not a fendex database of this format.
[[nodiscard]] Connection open_for_writing(const std::string& path);

}  // namespace fendex::store
