#include "query/tree_json.hpp"

#include "base/json.hpp"
#include "chess/fen.hpp"

namespace fendex::query {

namespace {

void add_games(const codec::Tally& tally, json::Object& object) {
    add_results(tally.results, object);
    object.add("games", tally.games);
}

void add_player(std::string_view side, const std::optional<std::string_view>& name,
                const std::optional<std::int64_t>& rating, json::Object& object) {
    object.add_object(side, [&](json::Object& player) {
        player.add("name", name);
        player.add("rating", rating);
    });
}

std::vector<store::StoreReader*> readers_of(std::span<const TreeDatabase> databases) {
    std::vector<store::StoreReader*> readers;
    for (const TreeDatabase& each : databases) readers.push_back(each.reader);
    return readers;
}

/// The databases of a tree, and the headers of the games that it names.
class NamedGames {
  public:
    NamedGames(const Tree& tree, std::span<const TreeDatabase> databases)
        : databases_(databases), headers_(headers_of(tree, readers_of(databases))) {}

    const store::GameHeader& header(const NamedGame& named) const {
        if (const auto* const found = headers_.find({named.database, named.game})) return *found;
        store::throw_no_game(named.game);
    }
    const TreeDatabase& database(const NamedGame& named) const {
        return databases_[named.database];
    }

  private:
    std::span<const TreeDatabase> databases_;
    store::KeptHeadersOfSeveral headers_;
};

void add_game(const NamedGame& of_tree, bool with_move, const NamedGames& named,
              json::Object& game) {
    const store::GameHeader& header = named.header(of_tree);
    const TreeDatabase& database = named.database(of_tree);
    if (!database.name.empty()) game.add("database", database.name);
    if (with_move) game.add("uci", json::known(of_tree.uci));

    game.add("game_id", of_tree.game);
    if (database.ref_prefix) {
        game.add("ref", *database.ref_prefix + std::to_string(of_tree.game));
    }
    game.add("winner", winner(header.result));

    game.add("result", codec::result_text(header.result));
    add_player("white", header.white, header.white_elo, game);
    add_player("black", header.black, header.black_elo, game);
    game.add("year", json::known(database.reader->ranks(of_tree.game).date.year()));

    game.add("date", header.date);
    game.add("event", header.event);
}

void add_move(const TreeMove& move, const NamedGames& named, json::Object& object,
              const AddReplies& add_replies) {
    object.add("uci", move.uci);
    object.add("san", move.san);
    add_games(move.tally, object);
    object.add("averageRating", move.mean_rating());
    object.add("performance", move.performance());
    object.add("last_year", json::known(move.tally.last_date.year()));

    if (move.reached) object.add("reached", *move.reached);
    add_opening(move.opening, object);
    object.add("eval", move.verdict);
    object.add_objects("topGames", move.top_games, [&](json::Object& game, const NamedGame& each) {
        add_game(each, false, named, game);
    });
    if (add_replies) add_replies(move, object);
}

}  // namespace

void add_results(const codec::ResultCounts& results, json::Object& object) {
    object.add("white", results.white());
    object.add("draws", results.draws());
    object.add("black", results.black());
}

std::optional<std::string_view> winner(codec::Result result) {
    if (result == codec::Result::kWhiteWins) return "white";
    if (result == codec::Result::kBlackWins) return "black";
    return std::nullopt;
}

void add_opening(const std::optional<replay::Opening>& opening, json::Object& object) {
    if (!opening) return object.add_null("opening");
    object.add_object("opening", [&](json::Object& named) {
        named.add("eco", opening->eco);
        named.add("name", opening->name);
    });
}

void add_tree(const Tree& tree, chess::FenDialect dialect, std::span<const TreeDatabase> databases,
              json::Object& object, const AddReplies& add_replies) {
    const NamedGames games(tree, databases);
    object.add("fen", chess::to_fen(tree.position, dialect));
    add_games(tree.total, object);
    object.add("occurrences", tree.total.occurrences);
    object.add_objects("moves", tree.moves, [&](json::Object& of_move, const TreeMove& move) {
        add_move(move, games, of_move, add_replies);
    });
    object.add_object("ended", [&](json::Object& ended) { add_games(tree.ended, ended); });
    const auto add_named = [&](json::Object& game, const NamedGame& named) {
        add_game(named, true, games, game);
    };
    object.add_objects("topGames", tree.top_games, add_named);
    object.add_objects("recentGames", tree.recent_games, add_named);
    add_opening(tree.opening, object);
}

}  // namespace fendex::query
