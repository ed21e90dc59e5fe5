// The columns that lists of games have in common, and such a list.
#pragma once

#include <vector>

#include "cli/output/row_printer.hpp"
#include "emit/game_rows.hpp"

namespace fendex::cli {

/// The number of a game.
ColumnSpec game_id_column();
/// white ... eco, in the order of the contract; some are not shown in a table.
void append_game_columns(std::vector<ColumnSpec>& columns);
using emit::append_game_cells;

/// Games as `fendex games` lists them: game_id, the columns above, plies.
class GameLister {
  public:
    /// The reader and the output must outlive it.
    GameLister(store::StoreReader& reader, Output& output, Format format);
    /// Nothing if there is no such game.
    void print(store::GameId game);
    void finish() { printer_.finish(); }

  private:
    store::StoreReader& reader_;
    RowPrinter printer_;
    store::GameHeader header_;
    std::vector<Cell> cells_;
};

}  // namespace fendex::cli
