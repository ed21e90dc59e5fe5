// Gives the free pages of a database back to the file system.
#pragma once

#include <functional>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// Writes the database anew without its free pages, as VACUUM does: first as a copy beside it, then
/// over it in one transaction, so that readers see it before or after. VACUUM itself cannot be
/// stopped while it writes the copy back. `connection` must be in no transaction. False if stop(),
/// which is asked now and then, ended it: then nothing has changed. Throws StoreError, also if
/// another program wrote meanwhile.
[[nodiscard]] bool shrink(Connection& connection, const std::function<bool()>& stop);

}  // namespace fendex::store
