// The columns of a game that all lists of games share, and the list that `fendex games` prints.
#pragma once

#include <span>
#include <vector>

#include "cli/output/row_printer.hpp"
#include "emit/game_rows.hpp"

namespace fendex::cli {

/// Returns the column of a game's database, for answers from several.
ColumnSpec database_column();
/// Returns the column of a game's number.
ColumnSpec game_id_column();
/// Appends the columns from white to eco in the order of the contract; tables leave some out.
void append_game_columns(std::vector<ColumnSpec>& columns);
using emit::append_game_cells;

/// Prints games as `fendex games` lists them: game_id, the columns above, plies.
class GameLister {
  public:
    /// The reader and the output must outlive it.
    GameLister(store::StoreReader& reader, Output& output, Format format);
    /// Prints games in this order, without those that do not exist.
    void print(std::span<const store::GameId> games);
    void finish() { printer_.finish(); }

  private:
    store::StoreReader& reader_;
    RowPrinter printer_;
    std::vector<Cell> cells_;
};

}  // namespace fendex::cli
