// Results that were computed from one snapshot of a database, kept for the next question about the
// same snapshot: sets of games that fit a condition, folded names, games of frequent positions. The
// readers of a snapshot share a shelf. Any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace fendex::store {

class SnapshotShelf {
  public:
    static constexpr std::size_t kCapacity = std::size_t{48} << 20;

    /// Keeps values of so many bytes in all.
    explicit SnapshotShelf(std::size_t capacity = kCapacity);

    /// A number that no other shelf of the process has. Readers of one number see the same content
    /// of the database.
    [[nodiscard]] std::uint64_t number() const { return number_; }

    /// Returns what was put under this name; null if nothing was, or if it had to make room. The
    /// name says what it is, and so its type.
    template <typename Value>
    [[nodiscard]] std::shared_ptr<const Value> get(const std::string& name) {
        return std::static_pointer_cast<const Value>(find(name));
    }
    /// Keeps a value that takes `bytes` of memory. Whatever was not used for longest makes room; a
    /// value larger than the whole shelf is not kept.
    void put(const std::string& name, std::shared_ptr<const void> value, std::size_t bytes);

    /// How often get() found a value, and how often it did not.
    struct Counts {
        std::uint64_t found = 0;
        std::uint64_t missed = 0;
    };
    [[nodiscard]] Counts counts() const;

  private:
    struct Item {
        std::string name;
        std::shared_ptr<const void> value;
        std::size_t bytes = 0;
    };
    using Items = std::list<Item>;

    std::shared_ptr<const void> find(const std::string& name);
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
