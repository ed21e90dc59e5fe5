#include "query/preparation_json.hpp"

#include <cmath>

#include "chess/fen.hpp"
#include "chess/setup.hpp"
#include "query/player_json.hpp"
#include "query/tree_json.hpp"

namespace fendex::query {

namespace {

double one_decimal(double value) { return std::round(10 * value) / 10; }

void add_weighted(const WeightedScore& score, json::Object& object) {
    add_player_results(score.score, object);
    object.add("score", one_decimal(score.percent()));
    object.add("last_year", json::known(score.last_date.year()));
}

void add_name(const std::optional<replay::Opening>& opening, json::Object& object) {
    const replay::Opening named = opening.value_or(replay::Opening());
    object.add("eco", json::known(named.eco));
    object.add("opening", json::known(named.name));
}

void add_other_move(const OtherMove& move, json::Object& object) {
    object.add("san", move.san);
    object.add("games", move.tally.games);
    add_results(move.tally.results, object);

    object.add_object("against", [&](json::Object& own) { add_player_results(move.against, own); });
    object.add("eval", move.verdict);
}

}  // namespace

void add_preparation(std::span<const std::string> names, chess::Color color,
                     const Preparation& found, json::Object& object) {
    object.add("names", names);
    object.add("color", chess::name_of(color));
    add_weighted(found.total, object);
    object.add_objects("repertoire", found.repertoire,
                       [](json::Object& row, const PreparedMove& move) {
                           row.add("depth", move.depth);
                           row.add("san", move.san);
                           row.add("own", move.by_player);
                           row.add("share", one_decimal(100 * move.share));
                           add_weighted(move.score, row);
                           add_name(move.opening, row);
                           row.add("eval", move.verdict);
                       });
    object.add_objects("weak_spots", found.weak_spots, [](json::Object& row, const WeakSpot& spot) {
        row.add("line", spot.line);
        row.add("fen", chess::to_fen(spot.position));
        add_weighted(spot.score, row);
        add_name(spot.opening, row);
        row.add("eval", spot.verdict);
        row.add_objects("moves", spot.moves, [](json::Object& played, const OtherMove& move) {
            add_other_move(move, played);
        });
    });
    object.add("recent", found.recent);
    object.add("lost", found.lost);
}

}  // namespace fendex::query
