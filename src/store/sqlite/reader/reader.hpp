// Opens readers of a SQLite database, with a connection of their own or with one that others have
// opened. The engine comes from a layer above (store/sqlite/engine), which has functions without
// this argument.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "store/local_reader.hpp"

struct sqlite3;

namespace fendex::store {

class SharedCaches;

/// Makes the engine of a reader, which is not open yet.
using MakeEngine = std::unique_ptr<Engine> (*)(LocalReader&);

[[nodiscard]] std::unique_ptr<LocalReader> open_reader(const std::string& path,
                                                       MakeEngine make_engine,
                                                       std::shared_ptr<SharedCaches> shared,
                                                       std::size_t cache_bytes);
[[nodiscard]] std::unique_ptr<LocalReader> open_reader(sqlite3* borrowed, MakeEngine make_engine);

}  // namespace fendex::store
