#include "store/sqlite/file_store.hpp"

#include <atomic>
#include <utility>

#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/reader/reader.hpp"
#include "store/sqlite/writer/writer.hpp"

namespace fendex::store {

namespace {

class SqliteStore final : public Store {
  public:
    SqliteStore(const std::string& path, const CacheSizes& caches)
        : Store(path, caches),
          caches_(caches),
          shared_(std::make_shared<SharedCaches>(path, caches.snapshot_cache_bytes)) {}

  private:
    std::unique_ptr<StoreReader> new_reader() override {
        if (has_reader_.exchange(true)) shared_->begin_sharing();
        return open_sqlite_reader(location(), shared_, caches_);
    }
    std::unique_ptr<StoreWriter> new_writer(std::string_view purpose,
                                            std::shared_ptr<void> open) override {
        shared_->end_sharing(open);
        return open_sqlite_writer(location(), purpose, std::move(open));
    }

    CacheSizes caches_;
    std::shared_ptr<SharedCaches> shared_;
    std::atomic<bool> has_reader_ = false;  // a reader was opened before
};

}  // namespace

std::shared_ptr<Store> file_store(const std::string& path, const CacheSizes& caches) {
    return std::make_shared<SqliteStore>(path, caches);
}

}  // namespace fendex::store
