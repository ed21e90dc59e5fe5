// What the readers of one database have read of it and share: names and facts, for each snapshot of
// its own. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "store/sqlite/chunk_table.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/name_cache.hpp"

namespace fendex::store {

/// What has been read of one snapshot.
struct SnapshotCaches {
    std::shared_ptr<SharedNames> players = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> events = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> sites = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> tag_values = std::make_shared<SharedNames>();
    std::shared_ptr<SharedChunks> facts = std::make_shared<SharedChunks>();
};

/// The caches of the snapshot that readers see now. Whether two readers see the same one cannot be
/// told from their connections: a connection of our own is asked before and after a reader begins.
class SharedCaches {
  public:
    explicit SharedCaches(std::string path) : path_(std::move(path)) {}

    /// There is a second reader: sharing is worth a connection, unless that is in a writer's way.
    void begin_sharing();
    /// Closes that connection, and opens none as long as the writer is there.
    void end_sharing(std::weak_ptr<void> writer);
    [[nodiscard]] bool is_sharing();

    /// Calls begin(), which begins a reader's snapshot, once or more often, and returns the caches
    /// of the last one. Throws StoreError if the database cannot be read.
    [[nodiscard]] SnapshotCaches of_snapshot(const std::function<void()>& begin);

  private:
    struct Watcher {
        explicit Watcher(const std::string& path)
            : connection(path, Connection::Mode::kReadOnly),
              select_version(connection, "PRAGMA main.data_version") {}
        std::int64_t version();

        Connection connection;
        Statement select_version;
    };

    std::string path_;
    std::mutex mutex_;
    std::optional<Watcher> watcher_;
    std::weak_ptr<void> writer_;
    std::int64_t version_ = 0;  // that caches_ belong to
    SnapshotCaches caches_;
};

}  // namespace fendex::store
