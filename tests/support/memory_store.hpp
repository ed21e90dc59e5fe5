// A second store, in memory and made the simple way: what is imported, and what a question answers,
// must not depend on how games are stored.
#pragma once

#include <memory>
#include <string>

#include "store/store.hpp"

namespace fendex::test {

/// An empty one. Its rows for every ply are those that readers replay.
std::shared_ptr<store::Store> memory_store();

/// The games of the database at `path`, as they are now.
std::shared_ptr<store::Store> memory_store(const std::string& path);

/// The same again and again, for a database that does not change: copied once.
std::shared_ptr<store::Store> kept_memory_store(const std::string& path);

}  // namespace fendex::test
