// A database in an SQLite file.
#pragma once

#include <memory>
#include <string>

#include "store/store.hpp"

namespace fendex::store {

/// Returns a store for the database at `path`. Only names it: opening a reader or a writer shows
/// whether it exists and can be used.
[[nodiscard]] std::shared_ptr<Store> file_store(const std::string& path,
                                                const CacheSizes& caches = {});

}  // namespace fendex::store
