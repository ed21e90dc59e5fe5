// Offers games to a list of named ones, for sums over many games.
#pragma once

#include <cstdint>

#include "codec/named_games.hpp"

namespace fendex::store {

/// Offers only games that can be among the named ones. Games must be added in ascending order, so a
/// game with the same rank as the last named one cannot replace it.
class Offers {
  public:
    explicit Offers(codec::NamedGames& named) : named_(named) { set_bar(); }

    void add(std::uint64_t game, std::uint64_t rank) {
        if (rank < bar_) return;
        named_.offer(game, rank);
        set_bar();
    }

  private:
    void set_bar() {
        const auto& entries = named_.entries();
        bar_ = !named_.is_full() ? 0 : entries.empty() ? UINT64_MAX : entries.back().rank + 1;
    }

    codec::NamedGames& named_;
    std::uint64_t bar_ = 0;
};

}  // namespace fendex::store
