// Copies what can be read of a malformed file to a new database: the rows that cannot be computed
// from others, as far as SQLite finds them. A repair of the new database makes the rest.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::store {

/// Creates the database `to`. Rows that cannot be read are recorded as import errors. Returns how
/// many runs of rows those are. Throws StoreError, a MalformedFileError if the list of tables
/// or no game can be read.
[[nodiscard]] std::uint64_t salvage(const std::string& from, const std::string& to);

/// Replaces everything in the file `to` by the database `from`, in one transaction.
void replace_content(const std::string& from, const std::string& to);

}  // namespace fendex::store
