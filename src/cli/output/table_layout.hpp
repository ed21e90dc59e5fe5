// Chooses the widths of a table's columns on a terminal. Pure functions.
#pragma once

#include <cstddef>
#include <vector>

namespace fendex::cli {

/// The blanks between two columns.
inline constexpr std::size_t kColumnGap = 2;

/// A column that needs `natural` columns of the terminal. Its values can be cut to `least`, which
/// equals `natural` if they are never cut. If the terminal is too narrow, all columns with the
/// highest `spare` are left out, then those with the next lower one; columns with 0 stay.
struct ColumnNeed {
    std::size_t natural = 0;
    std::size_t least = 0;
    unsigned spare = 0;
};

/// Returns the widths of the columns in a table of at most `width`; 0 for a column that is left
/// out, as are columns that need nothing. The table is wider if the rest cannot be cut further.
std::vector<std::size_t> fit_columns(const std::vector<ColumnNeed>& needs, std::size_t width);

/// Returns the width of a table with these columns.
std::size_t table_width(const std::vector<std::size_t>& widths);

}  // namespace fendex::cli
