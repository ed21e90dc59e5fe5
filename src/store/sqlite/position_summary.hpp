// The summary of a big position: sums over its games, and its best and latest games.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "codec/big_position.hpp"
#include "store/records.hpp"

namespace fendex::store {

/// Its memory serves one position after the other.
class PositionSummarizer {
  public:
    /// `sorted` are all postings of one position; their games count from `first_game`. The numbers
    /// of chunks are left 0. If facts() throws, the object must not be used again.
    codec::PositionSummary summarise(std::span<const codec::Posting> sorted, GameId first_game,
                                     const std::function<codec::GameFacts(GameId)>& facts);

  private:
    std::vector<bool> seen_;  // [game]; all false between two positions
};

}  // namespace fendex::store
