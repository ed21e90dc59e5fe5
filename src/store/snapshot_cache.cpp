#include "store/snapshot_cache.hpp"

#include <atomic>
#include <iterator>
#include <utility>

namespace fendex::store {

namespace {

std::uint64_t next_cache_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

}  // namespace

SnapshotCache::SnapshotCache(std::size_t capacity)
    : capacity_(capacity), number_(next_cache_number()) {}

std::shared_ptr<const void> SnapshotCache::find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto known = by_name_.find(name);
    if (known == by_name_.end()) {
        ++counts_.missed;
        return nullptr;
    }
    ++counts_.found;
    items_.splice(items_.begin(), items_, known->second);
    return known->second->value;
}

SnapshotCache::Counts SnapshotCache::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

void SnapshotCache::keep(const std::string& name, std::shared_ptr<const void> value,
                         std::size_t bytes) {
    if (bytes > capacity_) return;
    Items added;
    added.push_back({name, std::move(value), bytes});
    Items removed;  // destroyed after the lock is released: other threads need not wait for that
    const std::lock_guard lock(mutex_);
    if (const auto known = by_name_.find(name); known != by_name_.end()) {
        take_out(known->second, removed);
    }
    while (bytes_ + bytes > capacity_) take_out(std::prev(items_.end()), removed);
    by_name_.emplace(added.front().name, added.begin());
    items_.splice(items_.begin(), added);
    bytes_ += bytes;
}

void SnapshotCache::take_out(Items::iterator item, Items& out) {
    by_name_.erase(item->name);
    bytes_ -= item->bytes;
    out.splice(out.begin(), items_, item);
}

}  // namespace fendex::store
