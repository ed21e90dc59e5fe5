// The columns that lists of games have in common.
#pragma once

#include <vector>

#include "cli/row_printer.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

/// white ... eco, in the order of the contract; some are not shown in a table.
void append_game_columns(std::vector<ColumnSpec>& columns);
void append_game_cells(const store::GameHeader& game, std::vector<Cell>& cells);

}  // namespace fendex::cli
