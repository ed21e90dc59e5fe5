// Tells whether a database with a write-ahead log was committed to, without a system call. The
// memory that all connections of all processes share (the file -shm) begins with a description of
// the log, which changes with each commit. Any thread, one at a time for a connection.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// The description of a log (WalIndexHdr in https://www.sqlite.org/walformat.html). Two equal
/// descriptions mean that nothing was committed between them.
using LogState = std::array<std::byte, 48>;

/// Returns whether the connection reads a database with a log, which it shares with others. That
/// stays so as long as the connection is open.
[[nodiscard]] bool shares_log(Connection& connection);
/// Returns the present state of the log that the connection shares. Empty if it is just being
/// changed, or if the connection has no transaction, perhaps because an error has ended it.
[[nodiscard]] std::optional<LogState> log_state(const Connection& connection);

}  // namespace fendex::store
