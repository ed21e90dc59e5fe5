// A second store, simple and in memory: imports and answers must not depend on how games are
// stored.
#pragma once

#include <memory>
#include <string>

#include "store/store.hpp"

namespace fendex::test {

/// Returns an empty store. It keeps no rows for every ply.
std::shared_ptr<store::Store> memory_store();

/// Returns a store of the games of the database at `path`, as they are now.
std::shared_ptr<store::Store> memory_store(const std::string& path);

/// Returns the same store each time, for a database that does not change.
std::shared_ptr<store::Store> kept_memory_store(const std::string& path);

}  // namespace fendex::test
