#include "query/novelty_json.hpp"

#include "base/hex.hpp"
#include "query/tree_json.hpp"
#include "store/game_identity.hpp"

namespace fendex::query {

namespace {

void add_last_game(const store::GameHeader& header, const std::string* database,
                   json::Object& game) {
    if (database != nullptr) game.add("database", *database);
    game.add("game_id", header.id);
    game.add("white", header.white);
    game.add("black", header.black);
    game.add("result", codec::result_text(header.result));
    game.add("date", header.date);
    game.add("event", header.event);
    game.add("site", header.site);
    game.add("round", header.round);
    game.add("white_elo", header.white_elo);
    game.add("black_elo", header.black_elo);
    game.add("eco", header.eco);
}

void add_names(const NoveltyMove& move, json::Object& object) {
    object.add("san", move.san);
    object.add("uci", move.uci);
}

void add_played(json::Object& object, const NoveltyMove& move) {
    add_names(move, object);
    object.add("games", move.tally.games);
    add_results(move.tally.results, object);
    object.add("eval", move.verdict);
}

}  // namespace

void add_asked_game(std::uint64_t number, const store::StoredGame& game, json::Object& object) {
    const auto add_tag = [&](const char* name, const char* tag) {
        object.add(name, json::known(std::string_view(store::tag_of(game, tag))));
    };
    object.add("game", number);
    add_tag("white", "White");
    add_tag("black", "Black");
    add_tag("date", "Date");
    object.add("result", codec::result_text(game.moves.facts.result));
}

void add_novelty(const Novelty& novelty, const store::GameHeader& last, const std::string* database,
                 chess::FenDialect dialect, json::Object& object) {
    if (!novelty.known) {
        for (const char* const name : {"ply", "fen", "key"}) object.add_null(name);
        object.add("games", 0);
        for (const char* const name : {"last", "novelty"}) object.add_null(name);
        object.add("played", std::vector<int>());
        object.add("ended", 0);
        object.add_null("eval");
        return;
    }
    const KnownPosition& known = *novelty.known;
    object.add("ply", known.ply);
    object.add("fen", chess::to_fen(known.position, dialect));
    object.add("key", base::hex_key(known.position.key()));
    object.add("games", known.total.games);
    object.add_object("last", [&](json::Object& game) { add_last_game(last, database, game); });
    if (novelty.move) {
        object.add_object("novelty", [&](json::Object& move) {
            move.add("ply", known.ply + 1);
            add_names(*novelty.move, move);
            move.add("eval", novelty.move->verdict);
        });
    } else {
        object.add_null("novelty");
    }
    object.add_objects("played", known.played, add_played);
    object.add("ended", known.ended);
    object.add("eval", known.verdict);
}

}  // namespace fendex::query
