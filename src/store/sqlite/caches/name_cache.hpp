// The names of a table (id, name) that readers have looked up. The readers of one snapshot share
// them. Each reader also has a small cache of its own, which needs no lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Names by id. Names are never removed, so they are valid as long as the map. Any thread.
class NameMap {
  public:
    static constexpr std::size_t kMaxNames = 500'000;

    /// Returns the name; null if it has not been looked up.
    [[nodiscard]] const std::string* find(std::int64_t id) const {
        const Shard& shard = shards_[place_of(id)];
        const std::lock_guard lock(shard.mutex);
        const auto known = shard.names.find(id);
        return known == shard.names.end() ? nullptr : &known->second;
    }
    const std::string& add(std::int64_t id, std::string_view name) {
        Shard& shard = shards_[place_of(id)];
        const std::lock_guard lock(shard.mutex);
        const auto [known, is_new] = shard.names.emplace(id, name);
        if (is_new) size_.fetch_add(1, std::memory_order_relaxed);
        return known->second;
    }
    [[nodiscard]] bool is_full() const {
        return size_.load(std::memory_order_relaxed) >= kMaxNames;
    }

  private:
    /// A part of the names with its own lock, so that threads seldom wait for one another.
    struct Shard {
        mutable std::mutex mutex;
        std::unordered_map<std::int64_t, std::string> names;
    };
    std::size_t place_of(std::int64_t id) const {
        return static_cast<std::uint64_t>(id) % shards_.size();
    }

    std::array<Shard, 64> shards_;
    std::atomic<std::size_t> size_ = 0;
};

/// Holds the current map. A full map is replaced; readers that use it keep it alive. Any thread.
class SharedNames {
  public:
    [[nodiscard]] std::shared_ptr<NameMap> map() {
        const std::lock_guard lock(mutex_);
        return map_;
    }
    [[nodiscard]] std::shared_ptr<NameMap> map_after(const std::shared_ptr<NameMap>& full) {
        const std::lock_guard lock(mutex_);
        if (map_ == full) map_ = std::make_shared<NameMap>();
        return map_;
    }

  private:
    std::mutex mutex_;
    std::shared_ptr<NameMap> map_ = std::make_shared<NameMap>();
};

/// Looks up names of one table for a reader, in its thread and snapshot.
class NameCache {
  public:
    NameCache(const Connection& connection, const std::string& table)
        : connection_(&connection),
          table_(table),
          select_(connection, "SELECT name FROM main." + table + " WHERE id = ?1") {}

    /// Returns the name of an id. Throws StoreError if there is none. The view lives until trim()
    /// or use().
    std::string_view name(std::int64_t id) {
        Entry& entry = recent_[static_cast<std::uint64_t>(id) % recent_.size()];
        if (entry.name == nullptr || entry.id != id) entry = {id, &look_up(id)};
        return *entry.name;
    }
    /// Replaces a full map, to bound the memory.
    void trim() {
        if (map_->is_full()) take(shared_->map_after(map_));
    }
    /// Switches to the names of another snapshot.
    void use(std::shared_ptr<SharedNames> shared) {
        shared_ = std::move(shared);
        take(shared_->map());
    }

  private:
    struct Entry {
        std::int64_t id = 0;
        const std::string* name = nullptr;
    };

    const std::string& look_up(std::int64_t id);
    void take(std::shared_ptr<NameMap> map) {
        map_ = std::move(map);
        recent_.fill({});
    }

    const Connection* connection_;
    std::string table_;
    Statement select_;
    std::shared_ptr<SharedNames> shared_ = std::make_shared<SharedNames>();
    std::shared_ptr<NameMap> map_ = shared_->map();
    std::array<Entry, 1024> recent_{};  // by id
};

}  // namespace fendex::store
