// A curve of ratings over time, drawn with block characters. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fendex::cli {

/// A month as yyyymm, and the rating at its end.
using MonthRating = std::pair<std::uint32_t, std::uint32_t>;

/// Returns the lines of a chart of about `width` columns and `height` rows above the line of years.
/// Time runs evenly from the first month to the last; a column shows the last rating up to its
/// time. Returns nothing if there are fewer than two months.
[[nodiscard]] std::vector<std::string> rating_chart(const std::vector<MonthRating>& months,
                                                    std::size_t width, std::size_t height);

}  // namespace fendex::cli
