// Opens readers of a SQLite database, with a connection of their own or with one that others have
// opened.
#pragma once

#include <memory>
#include <string>

#include "store/local_reader.hpp"
#include "store/store.hpp"

struct sqlite3;

namespace fendex::store {

class IdleSnapshots;
class SharedCaches;

/// Opens a file. Throws StoreError if it is not a fendex database or has a newer format. If
/// `shared` is null, the reader shares no caches. SQLite's page cache can be smaller if each page
/// is read once. If `idle` is not null, it decides whether the reader keeps its snapshot when it is
/// released.
[[nodiscard]] std::unique_ptr<LocalReader> open_sqlite_reader(
    const std::string& path, std::shared_ptr<SharedCaches> shared = nullptr,
    const CacheSizes& caches = {}, std::shared_ptr<IdleSnapshots> idle = nullptr);

/// Returns a reader of database main that uses a connection that others have opened, inside their
/// statements. It begins no transaction, so each statement must call refresh() first. Destroy the
/// reader before the connection is closed.
[[nodiscard]] std::unique_ptr<LocalReader> open_sqlite_reader(sqlite3* borrowed);

}  // namespace fendex::store
