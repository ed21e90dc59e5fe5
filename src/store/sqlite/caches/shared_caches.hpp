// Caches of names, facts and results that the readers of one database share. Each snapshot has its
// own. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "store/snapshot_cache.hpp"
#include "store/sqlite/caches/name_cache.hpp"
#include "store/sqlite/caches/shared_chunks.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

struct SnapshotCaches {
    std::shared_ptr<SharedNames> players = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> events = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> sites = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> tag_values = std::make_shared<SharedNames>();
    std::shared_ptr<SharedChunks> facts = std::make_shared<SharedChunks>();
    std::shared_ptr<SharedChunks> player_codes = std::make_shared<SharedChunks>();
    std::shared_ptr<SharedChunks> name_codes = std::make_shared<SharedChunks>();
    std::shared_ptr<SharedChunks> opening_codes = std::make_shared<SharedChunks>();
    std::shared_ptr<SharedChunks> swings = std::make_shared<SharedChunks>();
    std::shared_ptr<SnapshotCache> results = std::make_shared<SnapshotCache>();
};

/// Holds the caches of the current snapshot. The connections of two readers do not show whether
/// they see the same snapshot. So the data version of another connection is read before and after a
/// reader begins.
class SharedCaches {
  public:
    SharedCaches(std::string path, std::size_t snapshot_cache_bytes)
        : path_(std::move(path)), snapshot_cache_bytes_(snapshot_cache_bytes) {}

    /// Opens the other connection. Called for the second reader, because sharing is not useful for
    /// one. Does nothing while there is a writer, which the connection would block.
    void begin_sharing();
    /// Closes the other connection, and does not open another as long as the writer exists.
    void end_sharing(std::weak_ptr<void> writer);
    [[nodiscard]] bool is_sharing() const { return is_sharing_; }

    /// Calls begin(), which begins a snapshot of a reader, one or more times. Returns the caches of
    /// the last of these snapshots; new caches if it cannot be identified. The reader must have no
    /// snapshot before the call: if a writer waited for its end, and another reader waited for the
    /// writer, there would be a deadlock. Throws StoreError if the database cannot be read.
    [[nodiscard]] SnapshotCaches of_snapshot(const std::function<void()>& begin);

  private:
    struct Watcher {
        explicit Watcher(const std::string& path);
        /// Returns the data version; empty if a writer prevents reading, or if this connection
        /// cannot see the latest commits.
        std::optional<std::int64_t> version();

        Connection connection;
        Statement select_version;
    };

    [[nodiscard]] SnapshotCaches empty_caches() const {
        SnapshotCaches caches;
        caches.results = std::make_shared<SnapshotCache>(snapshot_cache_bytes_);
        return caches;
    }

    std::string path_;
    std::size_t snapshot_cache_bytes_;
    std::atomic<bool> is_sharing_ = false;
    std::mutex mutex_;
    std::optional<Watcher> watcher_;
    std::weak_ptr<void> writer_;
    std::optional<std::int64_t> version_;  // of the snapshot of caches_
    SnapshotCaches caches_;
};

}  // namespace fendex::store
