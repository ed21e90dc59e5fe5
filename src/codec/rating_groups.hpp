// The groups of ratings by which an opening explorer lets its users choose games. They are those of
// the Lichess explorer: a game is in the group of the mean of both ratings. Do not change: on disk,
// in fine sums, and in clusters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace fendex::codec {

/// The lowest rating of each group; a group ends where the next one begins.
inline constexpr std::array<std::uint32_t, 9> kRatingGroups = {0,    1000, 1200, 1400, 1600,
                                                               1800, 2000, 2200, 2500};

/// Returns the number of the group, from 0 on, that a rating is in.
[[nodiscard]] constexpr std::size_t rating_group_of(std::uint32_t rating) {
    return static_cast<std::size_t>(std::ranges::upper_bound(kRatingGroups, rating) -
                                    kRatingGroups.begin()) -
           1;
}

}  // namespace fendex::codec
