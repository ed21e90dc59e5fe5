#include "emit/game_json.hpp"

#include "base/json.hpp"
#include "emit/game_rows.hpp"
#include "emit/san_walk.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

/// Returns the moves of the game in SAN; empty if it cannot be replayed.
std::vector<std::string> moves_of(store::GameId id, const store::StoredGame& game,
                                  const chess::SanSpelling& spelling) {
    std::vector<std::string> moves;
    replay::with_walk(id, game.moves, [&](auto& walk) {
        char san[chess::kMaxSanLength];
        std::string buffer;
        while (!walk.at_end()) {
            const std::string_view move(san, write_san_and_advance(walk, san));
            moves.emplace_back(spelling.spell(move, buffer));
        }
    });
    return moves;
}

}  // namespace

void add_game(store::GameId id, const store::StoredGame& game, const store::GameHeader& header,
              chess::FenDialect dialect, const chess::SanSpelling& spelling, json::Object& object) {
    object.add("game_id", id);
    add_game_columns(header, object);
    object.add("plies", header.plies);
    object.add("variant", chess::name_of(header.variant));
    if (replay::has_positions(game.moves)) {
        object.add("fen", chess::to_fen(replay::AnyWalk(id, game.moves).position(), dialect));
        object.add("moves", moves_of(id, game, spelling));
    } else {
        object.add_null("fen");
        object.add_null("moves");
    }
    object.add_object("tags", [&](json::Object& tags) {
        for (const auto& [name, value] : game.tags) tags.add(name, value);
    });
}

}  // namespace fendex::emit
