// Finds the sources of a database by the names that people give them.
#pragma once

#include <string>
#include <vector>

#include "store/store_reader.hpp"

namespace fendex::store {

/// Returns the sources with this number, path or end of a path. Throws FilterError if there is no
/// such source.
std::vector<StoredSource> sources_named(StoreReader& reader, const std::string& name);

}  // namespace fendex::store
