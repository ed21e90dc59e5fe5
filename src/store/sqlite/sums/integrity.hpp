// Errors that SQLite finds in the structure of a file.
#pragma once

#include <string>
#include <vector>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Returns at most `limit` messages; none if the file is sound. Throws StoreError if pages could
/// not be read, which SQLite itself reports as damage.
std::vector<std::string> integrity_problems(const Connection& connection, unsigned limit);

}  // namespace fendex::store
