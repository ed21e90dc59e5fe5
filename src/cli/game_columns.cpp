#include "cli/game_columns.hpp"

#include "chess/san.hpp"
#include "pgn/writer.hpp"
#include "store/stored_walk.hpp"

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

void append_pgn(store::GameId id, const store::StoredGame& game, std::string& out) {
    pgn::GameWriter writer(out);
    for (const auto& [name, value] : game.tags) writer.tag(name, value);
    if (game.moves.facts.variant != chess::Variant::kOther) {
        std::string san;
        codec::GameWalk walk = store::walk(id, game.moves);
        for (; !walk.at_end(); walk.advance()) {
            const chess::Position& position = walk.position();
            san.clear();
            chess::append_san(position, walk.next_move(), san);
            writer.move(position.fullmove_number(), position.side_to_move() == chess::Color::kWhite,
                        san);
        }
        store::require_intact(id, walk);
    }
    // The marker is the game's result, which a tag may spell otherwise.
    writer.result(codec::result_text(game.moves.facts.result));
    out += '\n';
}

}  // namespace fendex::cli
