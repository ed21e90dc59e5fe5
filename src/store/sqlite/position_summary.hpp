// The summary of a big position: sums over its games, and its best and latest games.
#pragma once

#include <functional>
#include <span>

#include "codec/big_position.hpp"
#include "store/records.hpp"

namespace fendex::store {

/// `sorted` are all postings of one position; their games count from `first_game`. The numbers of
/// chunks are left 0.
codec::PositionSummary summarise(std::span<const codec::Posting> sorted, GameId first_game,
                                 const std::function<codec::GameFacts(GameId)>& facts);

}  // namespace fendex::store
