// Performance ratings, by FIDE's table of differences (Handbook B02, 8.1).
#pragma once

#include <cstdint>
#include <optional>

#include "chess/types.hpp"
#include "codec/big_position.hpp"

namespace fendex::serve::explorer {

/// Returns the performance of one side: the opponents' mean rating and the difference for the
/// score, interpolated between whole percents, at most 800. Empty if no opponent's rating is known
/// or no game has a result.
std::optional<std::int64_t> performance(const codec::Tally& tally, chess::Color side);

}  // namespace fendex::serve::explorer
