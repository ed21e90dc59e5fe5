#include "cli/verbs/show_json.hpp"

#include "emit/game_rows.hpp"
#include "emit/san_walk.hpp"
#include "query/json.hpp"
#include "store/stored_walk.hpp"

namespace fendex::cli {

namespace {

/// Moves as the game has them; empty if it cannot be replayed.
std::vector<std::string> moves_of(store::GameId id, const store::StoredGame& game,
                                  const chess::SanSpelling& spelling) {
    std::vector<std::string> moves;
    store::with_walk(id, game.moves, [&](auto& walk) {
        char san[chess::kMaxSanLength];
        std::string buffer;
        while (!walk.at_end()) {
            const std::string_view move(san, emit::write_san_and_advance(walk, san));
            moves.emplace_back(spelling.spell(move, buffer));
        }
    });
    return moves;
}

}  // namespace

void append_game_json(store::GameId id, const store::StoredGame& game,
                      const store::GameHeader& header, chess::FenDialect dialect,
                      const chess::SanSpelling& spelling, std::string& out) {
    query::JsonObject object(out);
    object.number("game_id", id);
    const std::vector<std::string> columns(emit::kGameColumns.begin(), emit::kGameColumns.end());
    std::vector<emit::Cell> cells;
    emit::append_game_cells(header, cells);
    emit::add_members(columns, cells, object);
    object.number("plies", header.plies);
    object.text("variant", chess::name_of(header.variant));
    if (store::has_positions(game.moves)) {
        object.text("fen", chess::to_fen(store::AnyWalk(id, game.moves).position(), dialect));
        object.texts("moves", moves_of(id, game, spelling));
    } else {
        object.null("fen");
        object.null("moves");
    }
    object.name("tags");
    query::JsonObject tags(out);
    for (const auto& [name, value] : game.tags) tags.text(name, value);
    tags.end();
    object.end();
    out += '\n';
}

}  // namespace fendex::cli
