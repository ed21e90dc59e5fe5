// The connection of a writer: opens its file or creates it.
#pragma once

#include <chrono>
#include <string>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// Switches a database to the write-ahead log that an earlier fendex left without, for which nobody
/// else may be reading; waits so long for that. Does nothing to others.
void use_log(Connection& connection,
             std::chrono::milliseconds wait = std::chrono::milliseconds(kBusyTimeoutMs));

/// Opens a database to be written, and creates one that is not there or is empty. Every commit will
/// be durable. Throws StoreError for what is no fendex database of this format.
[[nodiscard]] Connection open_for_writing(const std::string& path);

}  // namespace fendex::store
