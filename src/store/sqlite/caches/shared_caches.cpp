#include "store/sqlite/caches/shared_caches.hpp"

namespace fendex::store {

namespace {

/// Normally a reader can begin between two commits. If it cannot after this many attempts, it gets
/// its own caches.
constexpr unsigned kMostAttempts = 8;

}  // namespace

SharedCaches::Watcher::Watcher(const std::string& path)
    : connection(path, Connection::Mode::kReadOnly),
      select_version(connection, "PRAGMA main.data_version") {
    // It must not wait: it is used while a reader has a snapshot, whose end a writer may await.
    connection.run("PRAGMA busy_timeout = 0");
}

std::optional<std::int64_t> SharedCaches::Watcher::version() {
    if (connection.is_outdated()) return std::nullopt;
    const ResetAtEnd end(select_version);
    try {
        select_version.step();
    } catch (const StoreError& error) {
        if (error.kind() == StoreError::kBusy) return std::nullopt;
        throw;
    }
    return select_version.integer(0);
}

void SharedCaches::begin_sharing() {
    const std::lock_guard lock(mutex_);
    if (watcher_ || !writer_.expired()) return;
    watcher_.emplace(path_);
    version_ = watcher_->version();
    caches_ = empty_caches();
    is_sharing_ = true;
}

void SharedCaches::end_sharing(std::weak_ptr<void> writer) {
    const std::lock_guard lock(mutex_);
    writer_ = std::move(writer);
    watcher_.reset();
    is_sharing_ = false;
}

SnapshotCaches SharedCaches::of_snapshot(const std::function<void()>& begin) {
    const std::lock_guard lock(mutex_);
    if (watcher_ && watcher_->connection.is_outdated()) {
        watcher_.emplace(path_);
        version_.reset();  // the versions of two connections cannot be compared
    }
    for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
        const auto before = watcher_ ? watcher_->version() : std::nullopt;
        begin();
        const auto after = before ? watcher_->version() : std::nullopt;
        if (!after) break;
        if (after != before) continue;
        if (before != version_) caches_ = empty_caches();
        version_ = before;
        return caches_;
    }
    return empty_caches();
}

}  // namespace fendex::store
