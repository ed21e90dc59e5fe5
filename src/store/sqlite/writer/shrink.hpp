// Returns the free pages of a database to the file system.
#pragma once

#include <functional>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Rewrites the database without its free pages, as VACUUM does. First writes a copy beside it,
/// then writes the copy back in one transaction, so that readers see the state before or after.
/// VACUUM itself could not be stopped while it writes the copy back. `connection` must not be in a
/// transaction. Calls stop() now and then; returns false if it ended the work, and then nothing has
/// changed. Throws StoreError, also if another program wrote meanwhile.
[[nodiscard]] bool shrink(Connection& connection, const std::function<bool()>& stop);

}  // namespace fendex::store
