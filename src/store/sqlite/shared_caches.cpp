#include "store/sqlite/shared_caches.hpp"

namespace fendex::store {

namespace {

/// Normally a reader can begin between two commits. If it cannot after so many attempts, it gets
/// caches of its own.
constexpr unsigned kMostAttempts = 8;

}  // namespace

std::int64_t SharedCaches::Watcher::version() {
    const ResetAtEnd end(select_version);
    select_version.step();
    return select_version.integer(0);
}

void SharedCaches::begin_sharing() {
    const std::lock_guard lock(mutex_);
    if (watcher_ || !writer_.expired()) return;
    watcher_.emplace(path_);
    version_ = watcher_->version();
    caches_ = {};
}

void SharedCaches::end_sharing(std::weak_ptr<void> writer) {
    const std::lock_guard lock(mutex_);
    writer_ = std::move(writer);
    watcher_.reset();
}

bool SharedCaches::is_sharing() {
    const std::lock_guard lock(mutex_);
    return watcher_.has_value();
}

SnapshotCaches SharedCaches::of_snapshot(const std::function<void()>& begin) {
    const std::lock_guard lock(mutex_);
    for (unsigned attempt = 0; watcher_ && attempt < kMostAttempts; ++attempt) {
        const std::int64_t before = watcher_->version();
        begin();
        if (watcher_->version() != before) continue;
        if (before != version_) caches_ = {};
        version_ = before;
        return caches_;
    }
    return {};
}

}  // namespace fendex::store
