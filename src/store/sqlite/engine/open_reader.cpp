#include "store/sqlite/engine/open_reader.hpp"

#include <utility>

#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/engine/engine.hpp"
#include "store/sqlite/reader/reader.hpp"

namespace fendex::store {

std::unique_ptr<LocalReader> open_sqlite_reader(const std::string& path,
                                                std::shared_ptr<SharedCaches> shared,
                                                std::size_t cache_bytes) {
    return open_reader(path, make_local_engine, std::move(shared), cache_bytes);
}

std::unique_ptr<LocalReader> open_sqlite_reader(sqlite3* borrowed) {
    return open_reader(borrowed, make_local_engine);
}

}  // namespace fendex::store
