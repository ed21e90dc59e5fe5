// How wide the columns of a table are on a terminal. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

namespace fendex::cli {

/// Between two columns.
inline constexpr std::size_t kColumnGap = 2;

/// A column that wants to be `natural` wide. Its values can be cut to `least`, which is `natural`
/// for those that are never cut. If there is no room the columns with the highest `spare` are left
/// out together, then those with the next; 0 stays.
struct ColumnNeed {
    std::size_t natural = 0;
    std::size_t least = 0;
    unsigned spare = 0;
};

/// The widths of the columns in a table of at most `width`, 0 for a column that is left out.
/// Columns that want nothing are left out. The table is wider if what stays cannot be cut further.
std::vector<std::size_t> fit_columns(const std::vector<ColumnNeed>& needs, std::size_t width);

/// Of a table with these columns.
std::size_t table_width(const std::vector<std::size_t>& widths);

}  // namespace fendex::cli
