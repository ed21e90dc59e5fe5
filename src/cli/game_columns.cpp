#include "cli/game_columns.hpp"

namespace fendex::cli {

void append_game_columns(std::vector<ColumnSpec>& columns) {
    for (const char* name : {"white", "black", "result", "date", "event"})
        columns.push_back({name});
    for (const char* name : {"site", "round"}) columns.push_back({name, false});
    for (const char* name : {"white_elo", "black_elo", "eco"}) columns.push_back({name});
}

void append_game_cells(const store::GameHeader& game, std::vector<Cell>& cells) {
    for (const auto& text : {game.white, game.black}) cells.push_back(cell(text));
    cells.push_back(codec::result_text(game.result));
    for (const auto& text : {game.date, game.event, game.site, game.round}) {
        cells.push_back(cell(text));
    }
    cells.push_back(cell(game.white_elo));
    cells.push_back(cell(game.black_elo));
    cells.push_back(cell(game.eco));
}

}  // namespace fendex::cli
