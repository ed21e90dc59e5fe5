// Ids of names in memory: a hash table of places, and the names one after the other. A name takes a
// third of the bytes that std::unordered_map needs for it, so that millions fit into an import's
// share of the memory, and a look-up reads two cache lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

namespace fendex::store {

class NameIds {
  public:
    struct Entry {
        std::int64_t id = 0;
        std::string_view name;  // lives until clear()
    };

    /// Returns the entry of a name; its id is 0 if the name is not here.
    [[nodiscard]] Entry find(std::string_view name) const;
    /// Adds a name that is not here, with an id other than 0.
    Entry add(std::string_view name, std::int64_t id);
    /// Returns the memory in use, in bytes.
    [[nodiscard]] std::size_t bytes() const {
        return slots_.capacity() * sizeof(Slot) + text_bytes_;
    }
    /// Forgets all names and frees the memory.
    void clear();

  private:
    /// An entry is an id (8 bytes), the size of the name (4), and the name, padded to kUnit.
    static constexpr std::size_t kHeaderBytes = 12;
    static constexpr std::size_t kUnit = 4;
    static constexpr std::size_t kUnitsPerBlock = std::size_t{1} << 14;
    static constexpr std::uint32_t kFree = ~std::uint32_t{0};

    struct Slot {
        std::uint32_t hash = 0;       // its upper half
        std::uint32_t place = kFree;  // of the entry: its block * kUnitsPerBlock + its unit there
    };
    Entry entry(std::uint32_t place) const;
    std::uint32_t append(std::string_view name, std::int64_t id);
    void put(std::uint64_t hash, std::uint32_t place);
    void grow();

    std::vector<Slot> slots_;  // a power of two; at most three quarters are in use
    std::size_t used_ = 0;
    std::deque<std::vector<char>> blocks_;  // which are never grown
    std::size_t units_ = 0;                 // in use in the last block
    std::size_t text_bytes_ = 0;            // of the blocks
};

}  // namespace fendex::store
