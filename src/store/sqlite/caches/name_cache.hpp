// The names of a table (id, name) that readers have looked up, with their neighbours: reading them
// too costs little, and a scan of many games soon needs no more reads. The readers of one snapshot
// share them. Each reader also has a small cache of its own, which needs no lock.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

/// Names with neighbouring ids, in few bytes.
class NameChunk {
  public:
    static constexpr std::size_t kNames = 64;

    /// Returns the number of the chunk that has an id.
    static constexpr std::int64_t number_of(std::int64_t id) { return id >> 6; }
    static constexpr std::int64_t first_id(std::int64_t number) { return number << 6; }
    static constexpr std::int64_t last_id(std::int64_t number) {
        return first_id(number) + (std::int64_t{kNames} - 1);
    }

    /// Adds the name of an id of this chunk. Ids must ascend.
    void add(std::int64_t id, std::string_view name) {
        text_ += name;
        present_ |= std::uint64_t{1} << slot_of(id);
        ends_[slot_of(id)] = static_cast<std::uint32_t>(text_.size());
    }
    /// Returns the name with this id, which belongs to the chunk; empty if no name has it.
    [[nodiscard]] std::optional<std::string_view> find(std::int64_t id) const {
        const std::size_t slot = slot_of(id);
        if ((present_ >> slot & 1U) == 0) return std::nullopt;
        const std::uint64_t before = present_ & ((std::uint64_t{1} << slot) - 1);
        const std::size_t begin =
            before == 0 ? 0 : ends_[static_cast<std::size_t>(std::bit_width(before)) - 1];
        return std::string_view(text_).substr(begin, ends_[slot] - begin);
    }
    [[nodiscard]] std::size_t bytes() const { return sizeof *this + text_.capacity(); }

  private:
    static constexpr std::size_t slot_of(std::int64_t id) {
        return static_cast<std::uint64_t>(id) % kNames;
    }

    std::uint64_t present_ = 0;
    std::array<std::uint32_t, kNames> ends_{};
    std::string text_;
};

/// Chunks by their numbers. They are never removed, so names are valid as long as the map. Any
/// thread.
class NameMap {
  public:
    /// Enough for the players of a month of online games.
    static constexpr std::size_t kMaxBytes = std::size_t{96} << 20;

    /// Returns the chunk; null if it has not been read.
    [[nodiscard]] const NameChunk* find(std::int64_t number) const {
        const Shard& shard = shards_[place_of(number)];
        const std::lock_guard lock(shard.mutex);
        const auto known = shard.chunks.find(number);
        return known == shard.chunks.end() ? nullptr : known->second.back().get();
    }
    /// Takes a chunk, also in place of one that lacks names which were added since.
    const NameChunk& add(std::int64_t number, std::unique_ptr<const NameChunk> chunk) {
        Shard& shard = shards_[place_of(number)];
        bytes_.fetch_add(chunk->bytes(), std::memory_order_relaxed);
        const std::lock_guard lock(shard.mutex);
        return *shard.chunks[number].emplace_back(std::move(chunk));
    }
    [[nodiscard]] bool is_full() const {
        return bytes_.load(std::memory_order_relaxed) >= kMaxBytes;
    }

  private:
    /// A part of the chunks with its own lock, so that threads seldom wait for one another.
    struct Shard {
        mutable std::mutex mutex;
        std::unordered_map<std::int64_t, std::vector<std::unique_ptr<const NameChunk>>> chunks;
    };
    std::size_t place_of(std::int64_t number) const {
        return static_cast<std::uint64_t>(number) % shards_.size();
    }

    std::array<Shard, 64> shards_;
    std::atomic<std::size_t> bytes_ = 0;
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
          select_(connection,
                  "SELECT id, name FROM main." + table + " WHERE id BETWEEN ?1 AND ?2") {}

    /// Returns the name of an id. Throws StoreError if there is none. The view lives until trim()
    /// or use().
    std::string_view name(std::int64_t id) {
        if (recent_.empty()) recent_.resize(kRecent);
        Entry& entry = recent_[static_cast<std::uint64_t>(id) % kRecent];
        if (entry.name.data() == nullptr || entry.id != id) entry = {id, look_up(id)};
        return entry.name;
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
        std::string_view name = {};  // without data if the entry is empty
    };

    static constexpr std::size_t kRecent = 1024;

    std::string_view look_up(std::int64_t id);
    /// Reads a chunk from the database, for this id.
    const NameChunk* read(std::int64_t number, std::int64_t id);
    void take(std::shared_ptr<NameMap> map) {
        map_ = std::move(map);
        recent_.clear();
    }

    const Connection* connection_;
    std::string table_;
    Statement select_;
    std::shared_ptr<SharedNames> shared_ = std::make_shared<SharedNames>();
    std::shared_ptr<NameMap> map_ = shared_->map();
    std::vector<Entry> recent_;  // by id; empty until one is looked up
};

}  // namespace fendex::store
