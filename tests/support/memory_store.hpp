// A second store, in memory and made the simple way: what a question answers must not depend on how
// games are stored. It holds a copy of a database, and cannot be written.
#pragma once

#include <memory>
#include <string>

#include "store/store.hpp"

namespace fendex::test {

/// The games of the database at `path`, as they are now.
std::shared_ptr<store::Store> memory_store(const std::string& path);

/// The same again and again, for a database that does not change: copied once.
std::shared_ptr<store::Store> kept_memory_store(const std::string& path);

}  // namespace fendex::test
