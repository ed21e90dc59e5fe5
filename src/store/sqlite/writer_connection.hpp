// The connection of a writer: opens its file or creates it.
#pragma once

#include <string>

#include "store/sqlite/connection.hpp"

namespace fendex::store {

/// Opens a database to be written, and creates one that is not there or is empty. Every commit will
/// be durable. Throws StoreError for what is no fendex database of this format.
[[nodiscard]] Connection open_for_writing(const std::string& path);

}  // namespace fendex::store
