#include "store/snapshot_shelf.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace fendex::store {

namespace {

std::uint64_t next_shelf_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

}  // namespace

SnapshotShelf::SnapshotShelf(std::size_t capacity)
    : capacity_(capacity), number_(next_shelf_number()) {}

std::shared_ptr<const void> SnapshotShelf::find(const std::string& name) {
    const std::lock_guard lock(mutex_);
    const auto item = items_.find(name);
    if (item == items_.end()) {
        ++counts_.missed;
        return nullptr;
    }
    ++counts_.found;
    item->second.used = ++uses_;
    return item->second.value;
}

SnapshotShelf::Counts SnapshotShelf::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

void SnapshotShelf::put(const std::string& name, std::shared_ptr<const void> value,
                        std::size_t bytes) {
    if (bytes > capacity_) return;
    const std::lock_guard lock(mutex_);
    if (const auto known = items_.find(name); known != items_.end()) {
        bytes_ -= known->second.bytes;
        items_.erase(known);
    }
    while (bytes_ + bytes > capacity_) {
        const auto oldest = std::min_element(
            items_.begin(), items_.end(),
            [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
        bytes_ -= oldest->second.bytes;
        items_.erase(oldest);
    }
    bytes_ += bytes;
    items_.emplace(name, Item{std::move(value), bytes, ++uses_});
}

}  // namespace fendex::store
