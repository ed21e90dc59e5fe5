// Caches of names and facts that the readers of one database share, separate for each snapshot. Any
// thread.
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

/// The caches of one snapshot.
struct SnapshotCaches {
    std::shared_ptr<SharedNames> players = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> events = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> sites = std::make_shared<SharedNames>();
    std::shared_ptr<SharedNames> tag_values = std::make_shared<SharedNames>();
    std::shared_ptr<SharedChunks> facts = std::make_shared<SharedChunks>();
};

/// Holds the caches of the present snapshot. The connections of two readers do not tell whether
/// they see the same snapshot; so another connection is asked for its data version before and after
/// a reader begins.
class SharedCaches {
  public:
    explicit SharedCaches(std::string path) : path_(std::move(path)) {}

    /// Called for the second reader, when sharing becomes worth a connection. Does nothing while
    /// there is a writer, which the connection would block.
    void begin_sharing();
    /// Closes that connection, and opens none as long as the writer exists.
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
    std::int64_t version_ = 0;  // of the snapshot of caches_
    SnapshotCaches caches_;
};

}  // namespace fendex::store
