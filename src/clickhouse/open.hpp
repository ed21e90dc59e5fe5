// The ClickHouse store, by its URL.
#pragma once

#include <memory>
#include <string>

#include "store/store.hpp"

namespace fendex::clickhouse {

/// Returns whether this build has the store. Without it, open() throws StoreError.
[[nodiscard]] bool has_clusters();

/// Returns whether a location is the URL of a cluster and not the name of a file.
[[nodiscard]] bool is_cluster(const std::string& location);

/// Returns the store for a URL, without connecting: opening a reader shows whether the database can
/// be read. The store refuses writers, because only `fendex push` writes. `password` is empty if
/// there is none. Throws StoreError if the URL is wrong.
[[nodiscard]] std::shared_ptr<store::Store> open(const std::string& location,
                                                 const store::CacheSizes& caches,
                                                 const std::string& password);

}  // namespace fendex::clickhouse
