#include "emit/game_json.hpp"

#include "base/json.hpp"
#include "emit/game_rows.hpp"
#include "emit/san_walk.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::emit {

namespace {

struct Moves {
    std::vector<std::string> sans;
    std::vector<std::optional<query::Verdict>> verdicts;  // after each move
    bool has_verdict = false;
};

/// Returns the moves of a game that can be replayed.
Moves moves_of(store::GameId id, const store::StoredGame& game, const chess::SanSpelling& spelling,
               query::Evaluations& evaluations) {
    Moves moves;
    evaluations.expect_game(id, game.moves);
    replay::with_walk(id, game.moves, [&](auto& walk) {
        char san[chess::kMaxSanLength];
        std::string buffer;
        while (!walk.at_end()) {
            const std::string_view move(san, write_san_and_advance(walk, san));
            moves.sans.emplace_back(spelling.spell(move, buffer));
            if (evaluations.empty()) continue;
            moves.verdicts.push_back(evaluations.verdict(chess::AnyPosition(walk.position())));
            moves.has_verdict |= moves.verdicts.back().has_value();
        }
    });
    return moves;
}

}  // namespace

void add_game(store::GameId id, const store::StoredGame& game, const store::GameHeader& header,
              chess::FenDialect dialect, const chess::SanSpelling& spelling,
              query::Evaluations& evaluations, json::Object& object) {
    object.add("game_id", id);
    add_game_columns(header, object);
    object.add("plies", header.plies);
    object.add("variant", chess::name_of(header.variant));
    if (replay::has_positions(game.moves)) {
        object.add("fen", chess::to_fen(replay::AnyWalk(id, game.moves).position(), dialect));
        const Moves moves = moves_of(id, game, spelling, evaluations);
        object.add("moves", moves.sans);
        if (moves.has_verdict) {
            object.add("record_evals", moves.verdicts);
        } else {
            object.add_null("record_evals");
        }
    } else {
        for (const char* const name : {"fen", "moves", "record_evals"}) object.add_null(name);
    }
    object.add_object("tags", [&](json::Object& tags) {
        for (const auto& [name, value] : game.tags) tags.add(name, value);
    });
}

}  // namespace fendex::emit
