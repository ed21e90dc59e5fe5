// Results that were computed from one snapshot of a database, kept for the next question about the
// same snapshot: sets of games that fit a condition, folded names, games of frequent positions. All
// readers of a snapshot share its cache. Any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <typeinfo>
#include <unordered_map>
#include <utility>

namespace fendex::store {

class SnapshotCache {
  public:
    static constexpr std::size_t kCapacity = std::size_t{48} << 20;

    /// About what the cache itself needs for an item, for callers that put many small values.
    static constexpr std::size_t kItemBytes = 250;

    /// Keeps values of at most this many bytes together.
    explicit SnapshotCache(std::size_t capacity = kCapacity);

    /// Returns a number that no other snapshot cache of the process has. Readers with the same
    /// number see the same content of the database.
    [[nodiscard]] std::uint64_t number() const { return number_; }

    /// Returns how many bytes all values may have together.
    [[nodiscard]] std::size_t capacity() const { return capacity_; }

    /// Returns the value of this type that was put under a key (base/key_text.hpp); null if there
    /// is none, or if it was removed to make room.
    template <typename Value>
    [[nodiscard]] std::shared_ptr<const Value> get(const std::string& key) {
        return std::static_pointer_cast<const Value>(find(typed<const Value>(key)));
    }
    /// Keeps a value that takes `bytes` of memory. Removes values to make room, those that were not
    /// used for the longest time first. Does not keep a value that is larger than the capacity.
    template <typename Value>
    void put(const std::string& key, std::shared_ptr<Value> value, std::size_t bytes) {
        keep(typed<const Value>(key), std::move(value), bytes);
    }

    /// Notes that something was asked for: what is asked for again may be worth keeping.
    void set_asked(const std::string& key) {
        put(key, std::make_shared<Asked>(), key.size() + kItemBytes);
    }
    [[nodiscard]] bool was_asked(const std::string& key) { return get<Asked>(key) != nullptr; }
    /// Does both: returns whether this was called before with this key.
    [[nodiscard]] bool is_asked_again(const std::string& key) {
        if (was_asked(key)) return true;
        set_asked(key);
        return false;
    }

    /// How often get() found a value, and how often it did not.
    struct Counts {
        std::uint64_t found = 0;
        std::uint64_t missed = 0;
    };
    [[nodiscard]] Counts counts() const;

  private:
    struct Asked {};
    struct Item {
        std::string name;
        std::shared_ptr<const void> value;
        std::size_t bytes = 0;
    };
    using Items = std::list<Item>;

    /// Values of different types are different even if their keys are equal.
    template <typename Value>
    static std::string typed(const std::string& key) {
        return typeid(Value).name() + ('\n' + key);
    }
    std::shared_ptr<const void> find(const std::string& name);
    void keep(const std::string& name, std::shared_ptr<const void> value, std::size_t bytes);
    void take_out(Items::iterator item, Items& out);

    const std::size_t capacity_;
    const std::uint64_t number_;
    mutable std::mutex mutex_;
    Counts counts_;
    Items items_;  // the one used last comes first
    std::unordered_map<std::string_view, Items::iterator> by_name_;
    std::size_t bytes_ = 0;
};

}  // namespace fendex::store
