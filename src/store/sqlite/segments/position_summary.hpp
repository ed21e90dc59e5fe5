// The summary of a big position: sums over its games, and its best and latest games.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "codec/big_position.hpp"
#include "store/records.hpp"

namespace fendex::store {

/// Computes summaries, one after the other. Reuses its memory.
class PositionSummarizer {
  public:
    /// Returns the summary of a position. `sorted` are all its postings; their games count from
    /// `first_game`. The numbers of chunks stay 0. If facts() throws, do not use the object again.
    codec::PositionSummary summarise(std::span<const codec::Posting> sorted, GameId first_game,
                                     const std::function<codec::GameFacts(GameId)>& facts);

  private:
    std::vector<bool> seen_;  // [game]; all false between two calls
};

}  // namespace fendex::store
