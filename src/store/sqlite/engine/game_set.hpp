// A set of games, as a compressed bitmap (CRoaring) of their numbers. Several threads may use a set
// at once only if it is const.
#pragma once

#include <roaring/roaring.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/huge_allocator.hpp"
#include "store/records.hpp"

namespace fendex::store {

class GameSet {
  public:
    /// All games have numbers below this.
    static constexpr std::uint64_t kEnd = std::uint64_t{1} << 32;

    GameSet() : bitmap_(roaring_bitmap_create()) {}
    GameSet(const GameSet& other) : bitmap_(roaring_bitmap_copy(other.bitmap_.get())) {}
    GameSet(GameSet&&) noexcept = default;
    GameSet& operator=(GameSet other) noexcept {
        bitmap_.swap(other.bitmap_);
        return *this;
    }
    ~GameSet() = default;

    /// Makes a set from the bits of an array: bit n of word w is for game 64 w + n.
    static GameSet of_bits(std::span<const std::uint64_t> bits);

    /// Returns such bits of the games up to `last`; the set must have no others.
    [[nodiscard]] base::HugeVector<std::uint64_t> bits(GameId last) const;

    void add(std::span<const std::uint32_t> games) {
        roaring_bitmap_add_many(bitmap_.get(), games.size(), games.data());
    }
    /// Adds the games from `first` up to, but not including, `end`.
    void add_range(GameId first, GameId end) {
        roaring_bitmap_add_range(bitmap_.get(), first, end);
    }
    void remove(GameId game) {
        roaring_bitmap_remove(bitmap_.get(), static_cast<std::uint32_t>(game));
    }

    [[nodiscard]] bool contains(GameId game) const {
        return game < kEnd &&
               roaring_bitmap_contains(bitmap_.get(), static_cast<std::uint32_t>(game));
    }
    [[nodiscard]] std::uint64_t size() const {
        return roaring_bitmap_get_cardinality(bitmap_.get());
    }
    /// Returns the first `most` numbers, ascending.
    [[nodiscard]] std::vector<std::uint32_t> numbers(std::size_t most = SIZE_MAX) const {
        std::vector<std::uint32_t> out(std::min<std::uint64_t>(size(), most));
        if (out.size() == size()) {
            roaring_bitmap_to_uint32_array(bitmap_.get(), out.data());
            return out;
        }
        roaring_uint32_iterator_t next;
        roaring_init_iterator(bitmap_.get(), &next);
        roaring_read_uint32_iterator(&next, out.data(), static_cast<std::uint32_t>(out.size()));
        return out;
    }
    /// Returns the first `most` numbers after a game, ascending.
    [[nodiscard]] std::vector<std::uint32_t> numbers_after(GameId game, std::size_t most) const {
        std::vector<std::uint32_t> out;
        if (game >= kEnd - 1) return out;
        roaring_uint32_iterator_t next;
        roaring_init_iterator(bitmap_.get(), &next);
        roaring_move_uint32_iterator_equalorlarger(&next, static_cast<std::uint32_t>(game + 1));
        out.resize(most);
        out.resize(roaring_read_uint32_iterator(&next, out.data(),
                                                static_cast<std::uint32_t>(out.size())));
        return out;
    }
    /// Returns the approximate size of the set in memory.
    [[nodiscard]] std::size_t bytes() const {
        return roaring_bitmap_portable_size_in_bytes(bitmap_.get()) + sizeof *this;
    }

    GameSet& operator&=(const GameSet& other) {
        roaring_bitmap_and_inplace(bitmap_.get(), other.bitmap_.get());
        return *this;
    }
    GameSet& operator|=(const GameSet& other) {
        roaring_bitmap_or_inplace(bitmap_.get(), other.bitmap_.get());
        return *this;
    }
    friend GameSet operator&(const GameSet& a, const GameSet& b) {
        return GameSet(roaring_bitmap_and(a.bitmap_.get(), b.bitmap_.get()));
    }
    friend bool operator==(const GameSet& a, const GameSet& b) {
        return roaring_bitmap_equals(a.bitmap_.get(), b.bitmap_.get());
    }

  private:
    struct Free {
        void operator()(roaring_bitmap_t* bitmap) const { roaring_bitmap_free(bitmap); }
    };

    explicit GameSet(roaring_bitmap_t* bitmap) : bitmap_(bitmap) {}

    std::unique_ptr<roaring_bitmap_t, Free> bitmap_;
};

}  // namespace fendex::store
