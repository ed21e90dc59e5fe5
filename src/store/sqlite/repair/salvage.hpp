// Copies the readable rows of a malformed file to a new database: those that cannot be computed
// from others, as far as SQLite finds them. A repair of the new database computes the rest.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::store {

/// Creates the database `to`. Rows that cannot be read are recorded as import errors. Returns the
/// number of runs of such rows. Throws StoreError; MalformedFileError if the list of tables cannot
/// be read, or not even one game.
[[nodiscard]] std::uint64_t salvage(const std::string& from, const std::string& to);

/// Replaces the content of the file `to` by the database `from`, in one transaction.
void replace_content(const std::string& from, const std::string& to);

}  // namespace fendex::store
