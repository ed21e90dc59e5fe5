#include "store/sqlite/file_store.hpp"

#include <atomic>
#include <utility>

#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/reader/idle_snapshots.hpp"
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

    IdleSnapshots& idle_snapshots() const { return *idle_; }

  private:
    std::unique_ptr<StoreReader> new_reader() override {
        if (has_reader_.exchange(true)) shared_->begin_sharing();
        return open_sqlite_reader(location(), shared_, caches_, idle_);
    }
    std::unique_ptr<StoreWriter> new_writer(std::string_view purpose,
                                            std::shared_ptr<void> open) override {
        shared_->end_sharing(open);
        return open_sqlite_writer(location(), purpose, std::move(open));
    }

    CacheSizes caches_;
    std::shared_ptr<SharedCaches> shared_;
    std::shared_ptr<IdleSnapshots> idle_ = std::make_shared<IdleSnapshots>();
    std::atomic<bool> has_reader_ = false;  // a reader was opened before
};

}  // namespace

std::shared_ptr<Store> file_store(const std::string& path, const CacheSizes& caches) {
    return std::make_shared<SqliteStore>(path, caches);
}

IdleSnapshots* idle_snapshots_of(const Store& store) {
    const auto* const file = dynamic_cast<const SqliteStore*>(&store);
    return file == nullptr ? nullptr : &file->idle_snapshots();
}

}  // namespace fendex::store
