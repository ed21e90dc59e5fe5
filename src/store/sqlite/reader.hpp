// Readers of a SQLite database: through a connection of their own, or through one that others
// opened.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "store/store_reader.hpp"

struct sqlite3;

namespace fendex::store {

class SharedCaches;

inline constexpr std::size_t kReaderCacheBytes = std::size_t{64} << 20;

/// Throws StoreError for what is no fendex database or has a newer format. `shared` may be null: a
/// reader that is alone. `cache_bytes` is for the pages that SQLite keeps: less if each page is
/// read once.
[[nodiscard]] std::unique_ptr<StoreReader> open_sqlite_reader(
    const std::string& path, std::shared_ptr<SharedCaches> shared = nullptr,
    std::size_t cache_bytes = kReaderCacheBytes);

/// Reads main through a connection that others opened, inside whatever statement of theirs is
/// running: it begins no transaction, so each statement calls refresh() first. The reader must be
/// gone before the connection is closed.
[[nodiscard]] std::unique_ptr<StoreReader> open_sqlite_reader(sqlite3* borrowed);

}  // namespace fendex::store
