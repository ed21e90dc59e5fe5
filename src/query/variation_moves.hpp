// What the indexed variations of games played from a position.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "base/stop_check.hpp"
#include "query/position_search.hpp"
#include "store/local_reader.hpp"

namespace fendex::query {

/// What the variations of one game did with a position.
struct VariationMoves {
    /// How often each move was played from it, by Move::bits(). A variation may leave the game
    /// itself there.
    std::map<std::uint16_t, std::uint64_t> moves;
    std::uint64_t reached = 0;  // places in variations; the game itself does not count
};

/// Belongs to the reader's thread.
class VariationReader {
  public:
    explicit VariationReader(store::LocalReader& reader)
        : reader_(reader), indexed_(reader.games_with_indexed_variations()) {}

    /// Returns whether no game has indexed variations.
    bool empty() const { return indexed_.empty(); }

    using Visit =
        std::function<void(store::GameId, const store::StoredMoves&, const VariationMoves&)>;
    /// Calls visit() for those of the games, which are in the order of numbers, whose indexed
    /// variations reached the exact position of the target or left it. Throws StoreError if the
    /// stored data is damaged, and base::Stopped.
    void read(std::span<const store::GameId> games, const Question::Target& target,
              const Visit& visit, base::StopCheck& stop);

  private:
    bool is_indexed(store::GameId game) const;

    store::LocalReader& reader_;
    std::vector<store::GameRange> indexed_;
};

}  // namespace fendex::query
