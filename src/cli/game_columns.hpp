// The columns that lists of games have in common.
#pragma once

#include <vector>

#include "cli/row_printer.hpp"
#include "emit/game_rows.hpp"

namespace fendex::cli {

/// white ... eco, in the order of the contract; some are not shown in a table.
void append_game_columns(std::vector<ColumnSpec>& columns);
using emit::append_game_cells;

}  // namespace fendex::cli
