// The groups of ratings (codec/rating_groups.hpp) as ranges that a filter compares.
#pragma once

#include <cstddef>

#include "codec/rating_groups.hpp"
#include "store/game_filter.hpp"

namespace fendex::store {

/// Returns the ratings of a group. The last group has no highest one.
[[nodiscard]] constexpr NumberRange ratings_of_group(std::size_t group) {
    NumberRange range{.low = codec::kRatingGroups.at(group)};
    if (group + 1 < codec::kRatingGroups.size())
        range.high = codec::kRatingGroups.at(group + 1) - 1;
    return range;
}

}  // namespace fendex::store
