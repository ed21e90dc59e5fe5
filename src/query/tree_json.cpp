#include "query/tree_json.hpp"

#include "chess/fen.hpp"
#include "query/json.hpp"

namespace fendex::query {

namespace {

/// Calls each(element) between brackets and commas.
template <typename Elements, typename Each>
void append_list(std::string_view member, const Elements& elements, JsonObject& object,
                 std::string& out, Each each) {
    object.name(member);
    out += '[';
    bool first = true;
    for (const auto& element : elements) {
        if (!first) out += ',';
        first = false;
        each(element);
    }
    out += ']';
}

void add_results(const codec::Tally& tally, JsonObject& object) {
    const auto of = [&](codec::Result result) {
        return tally.results[static_cast<std::size_t>(result)];
    };
    object.number("white", of(codec::Result::kWhiteWins));
    object.number("draws", of(codec::Result::kDraw));
    object.number("black", of(codec::Result::kBlackWins));
    object.number("games", tally.games);
}

void add_opening(const std::optional<Opening>& opening, JsonObject& object, std::string& out) {
    if (!opening) {
        object.null("opening");
        return;
    }
    object.name("opening");
    JsonObject named(out);
    named.text("eco", opening->eco);
    named.text("name", opening->name);
    named.end();
}

void add_player(std::string_view side, const std::optional<std::string_view>& name,
                const std::optional<std::int64_t>& rating, JsonObject& object, std::string& out) {
    object.name(side);
    JsonObject player(out);
    player.optional("name", name);
    player.optional("rating", rating);
    player.end();
}

void append_game(store::GameId id, const std::string* uci, store::StoreReader& reader,
                 std::string& out) {
    const codec::GameFacts facts = reader.facts(id);
    store::GameHeader header;  // views that end with the next call
    if (!reader.header(id, header)) {
        throw store::StoreError(store::StoreError::kDamaged,
                                "damaged database: no game " + std::to_string(id));
    }
    JsonObject game(out);
    if (uci != nullptr) {
        uci->empty() ? game.null("uci") : game.text("uci", *uci);
    }
    game.number("id", id);
    if (header.result == codec::Result::kWhiteWins) {
        game.text("winner", "white");
    } else if (header.result == codec::Result::kBlackWins) {
        game.text("winner", "black");
    } else {
        game.null("winner");
    }
    game.text("result", codec::result_text(header.result));
    add_player("white", header.white, header.white_elo, game, out);
    add_player("black", header.black, header.black_elo, game, out);
    facts.date == 0 ? game.null("year") : game.number("year", facts.date / 10'000);
    game.optional("date", header.date);
    game.end();
}

void append_move(const TreeMove& move, store::StoreReader& reader, std::string& out,
                 const AddReplies& add_replies) {
    JsonObject object(out);
    object.text("uci", move.uci);
    object.text("san", move.san);
    add_results(move.tally, object);
    object.optional("averageRating", move.mean_rating());
    object.optional("performance", move.performance());
    move.tally.last_date == 0 ? object.null("lastYear")
                              : object.number("lastYear", move.tally.last_date / 10'000);
    if (move.reached) object.number("reached", *move.reached);
    add_opening(move.opening, object, out);
    const auto game = [&](store::GameId id) { append_game(id, nullptr, reader, out); };
    append_list("topGames", move.top_games, object, out, game);
    if (add_replies) add_replies(move, object);
    object.end();
}

}  // namespace

void add_tree(const Tree& tree, chess::FenDialect dialect, store::StoreReader& reader,
              JsonObject& object, std::string& out, const AddReplies& add_replies) {
    object.text("fen", chess::to_fen(tree.position, dialect));
    add_results(tree.total, object);
    object.number("occurrences", tree.total.occurrences);
    append_list("moves", tree.moves, object, out,
                [&](const TreeMove& move) { append_move(move, reader, out, add_replies); });
    object.name("ended");
    JsonObject ended(out);
    add_results(tree.ended, ended);
    ended.end();
    const auto game = [&](const NamedGame& named) {
        append_game(named.game, &named.uci, reader, out);
    };
    append_list("topGames", tree.top_games, object, out, game);
    append_list("recentGames", tree.recent_games, object, out, game);
    add_opening(tree.opening, object, out);
}

void append_tree_json(const Tree& tree, chess::FenDialect dialect, store::StoreReader& reader,
                      std::string& out) {
    JsonObject object(out);
    add_tree(tree, dialect, reader, object, out);
    object.end();
}

}  // namespace fendex::query
