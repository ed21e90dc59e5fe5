// The plies of games in the order of their keys, which replaying gives in the order of games. They
// are sorted in bounded memory, the rest in a temporary file. For one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "store/record_sorter.hpp"
#include "store/records.hpp"

namespace fendex::sqlite_ext {

class PliesByKey {
  public:
    PliesByKey();

    /// Replays a game and adds its plies from `first` to `last`. Throws StoreError if the game is
    /// damaged, or if the temporary file cannot be written.
    void add(store::GameId game, const store::StoredMoves& moves, std::int64_t first,
             std::int64_t last);
    /// Goes to the first ply. Must be called once, after the last add().
    void begin();
    bool at_end() const { return next_ == plies_.size(); }
    void advance();

    // The present ply. Keys ascend as signed numbers, plies of the same key by game and ply.
    std::int64_t key() const;
    store::GameId game() const;
    std::uint32_t ply() const;

  private:
    struct Ply {
        std::uint64_t key;   // the top bit is inverted
        std::uint64_t rest;  // game and ply
    };
    using Sorter = store::RecordSorter<Ply>;

    void settle();

    Sorter sorter_;
    unsigned partition_ = 0;  // the next one
    std::vector<Ply> plies_;  // of the present partition
    std::size_t next_ = 0;
};

}  // namespace fendex::sqlite_ext
