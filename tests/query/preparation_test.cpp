// Preparing against a player: all numbers against a count over the positions of all games.
#include "query/preparation.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

#include "chess/any_position.hpp"
#include "chess/random_play.hpp"
#include "chess/san.hpp"
#include "chess/variant_names.hpp"
#include "ingest/importer.hpp"
#include "pgn/inputs.hpp"
#include "query/player_list.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/all_players.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using chess::Color;
using query::Preparation;

std::string game(const char* white, const char* black, const char* date, const char* result,
                 const char* moves) {
    return std::string("[White \"") + white + "\"]\n[Black \"" + black + "\"]\n[Date \"" + date +
           "\"]\n[Result \"" + result + "\"]\n\n" + moves + ' ' + result + "\n\n";
}

/// Games of a few players that share their first moves, transpose and return to positions.
std::string made_up_games() {
    constexpr const char* kOpenings[] = {"1. e4 e5 2. Nf3 Nc6 ", "1. Nf3 Nc6 2. e4 e5 ",
                                         "1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nc6 "};
    constexpr const char* kThen[] = {"Bb5 a6 Ba4 Nf6", "Bb5 Nf6 O-O Nxe4", "Bc4 Bc5 c3 Nf6",
                                     "Bc4 Nf6 d3 Bc5", "d4 exd4 Nxd4 Nf6"};
    constexpr const char* kNames[] = {"Alpha", "Beta", "Gamma"};
    constexpr const char* kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
    test::Random random(15);
    std::string out;
    for (int i = 0; i < 400; ++i) {
        const std::string moves = std::string(kOpenings[random() % 3]) + kThen[random() % 5];
        const std::string year =
            std::to_string(2000 + random() % 20) + ".05.0" + std::to_string(1 + random() % 9);
        out += game(kNames[random() % 3], kNames[random() % 3], year.c_str(),
                    kResults[random() % 4], moves.c_str());
    }
    return out;
}

/// What was played in a position: by SAN, the games whose first visit went on with that move.
struct Visits {
    std::set<store::GameId> games;
    std::map<std::string, std::set<store::GameId>> first_moves;
    std::map<std::string, std::set<store::GameId>> all_moves;
};

using Book = std::map<std::string, Visits>;  // by EPD

Book book_of(store::StoreReader& reader) {
    Book book;
    reader.for_each_moves(1, [&](store::GameId id, const store::StoredMoves& moves) {
        if (!chess::has_standard_rules(moves.facts.variant)) return true;
        for (codec::GameWalk walk = replay::walk(id, moves);; walk.advance()) {
            Visits& here = book[chess::to_epd(chess::AnyPosition(walk.position()))];
            const bool first = here.games.insert(id).second;
            if (walk.at_end()) break;
            const std::string san = chess::to_san(walk.position(), walk.next_move());
            if (first) here.first_moves[san].insert(id);
            here.all_moves[san].insert(id);
        }
        return true;
    });
    return book;
}

std::set<store::GameId> games_with(store::StoreReader& reader, const std::string& name,
                                   Color color) {
    std::set<store::GameId> out;
    reader.for_each_game(1, [&](store::GameId id, const store::StoredGame& stored) {
        for (const auto& [tag, value] : stored.tags) {
            if (tag == (color == Color::kWhite ? "White" : "Black") && value == name) {
                out.insert(id);
            }
        }
        return true;
    });
    return out;
}

std::uint64_t common(const std::set<store::GameId>& a, const std::set<store::GameId>& b) {
    return static_cast<std::uint64_t>(
        std::count_if(a.begin(), a.end(), [&](store::GameId id) { return b.contains(id); }));
}

Preparation prepared(store::StoreReader& reader, const std::string& name, Color color) {
    query::GameMatcher matcher(reader);
    return query::prepare(reader, matcher, {name}, color);
}

}  // namespace

TEST_CASE("A preparation counts the player's games as a replay of all games does") {
    const test::TemporaryFile path("samples.db");
    std::vector<std::string> files = pgn::expand_inputs({FENDEX_SAMPLES});
    files.push_back(path.write_beside("more.pgn", made_up_games()));
    ingest::import_files(path, files, {});
    const auto reader = store::file_store(path)->reader();
    const Book book = book_of(*reader);
    query::GameMatcher all(*reader);
    std::size_t moves = 0;
    std::size_t spots = 0;
    for (const query::PlayerCount& player : test::all_players(*reader)) {
        for (const Color color : {Color::kWhite, Color::kBlack}) {
            CAPTURE(player.name);
            const std::set<store::GameId> own = games_with(*reader, player.name, color);
            const Preparation found = prepared(*reader, player.name, color);
            for (const query::PreparedMove& move : found.repertoire) {
                const Visits& here = book.at(chess::to_epd(chess::AnyPosition(move.before)));
                CHECK(move.score.score.games == common(here.first_moves.at(move.san), own));
                CHECK(move.by_player == (move.before.side_to_move() == color));
                CHECK(move.share > 0);
                CHECK(move.share < 1.000001);
                ++moves;
            }
            for (const query::WeakSpot& spot : found.weak_spots) {
                const Visits& here = book.at(chess::to_epd(chess::AnyPosition(spot.position)));
                CHECK(spot.score.score.games == common(here.games, own));
                CHECK(spot.position.side_to_move() != color);
                CHECK(spot.score.percent() < found.total.percent());
                for (const query::OtherMove& each : spot.moves) {
                    CHECK(each.tally.games == here.all_moves.at(each.san).size());
                    const auto first = here.first_moves.find(each.san);
                    CHECK(each.against.games ==
                          (first == here.first_moves.end() ? 0 : common(first->second, own)));
                }
                ++spots;
            }
            CHECK(found.recent.size() == std::min<std::size_t>(12, found.total.score.games));
            for (const store::GameId id : found.lost) CHECK(own.contains(id));
        }
    }
    CHECK(moves > 100);
    CHECK(spots > 0);
}

TEST_CASE("Recent games weigh more, and the worst line is found") {
    const test::TemporaryFile path("a.db");
    std::string pgn;
    // Six years before the latest game: a quarter of the weight.
    for (int i = 0; i < 4; ++i) pgn += game("Hero", "X", "2014.07.01", "1-0", "1. d4 d5 2. c4 e6");
    for (int i = 0; i < 3; ++i)
        pgn += game("Hero", "Y", "2020.07.01", "1-0", "1. e4 e5 2. Nf3 Nc6");
    for (int i = 0; i < 5; ++i) {
        pgn += game("Hero", "Z", "2020.07.01", "0-1", "1. e4 c5 2. Nf3 d6 3. d4 cxd4");
    }
    pgn += game("A", "B", "2021.01.01", "0-1", "1. e4 c5 2. Nf3 d6 3. d4 Nf6");
    pgn += game("Hero", "Undated", "????.??.??", "1-0", "1. d4 d5");
    ingest::import_files(path, {path.write_beside("a.pgn", pgn)}, {});
    const auto reader = store::file_store(path)->reader();
    const Preparation found = prepared(*reader, "Hero", Color::kWhite);
    CHECK(found.total.score == query::PlayerScore{.games = 13, .wins = 8, .draws = 0, .losses = 5});
    const double undated = std::exp2(-5);
    const double all = 4 * 0.25 + 3 + 5 + undated;
    CHECK(found.total.weight == Approx(all));
    CHECK(found.total.percent() == Approx(100 * (all - 5) / all));
    REQUIRE(found.repertoire.size() > 2);
    CHECK(found.repertoire[0].san == "e4");
    CHECK(found.repertoire[0].share == Approx(8 / all));
    CHECK(found.repertoire[0].by_player);
    CHECK(found.repertoire[1].san == "c5");
    CHECK_FALSE(found.repertoire[1].by_player);
    REQUIRE(found.weak_spots.size() == 1);
    const query::WeakSpot& spot = found.weak_spots[0];
    CHECK(spot.line == "1.e4 c5 2.Nf3 d6 3.d4");
    CHECK(spot.score.score.losses == 5);
    REQUIRE(spot.moves.size() == 2);
    CHECK(spot.moves[0].san == "cxd4");
    CHECK(spot.moves[0].against.losses == 5);
    CHECK(spot.moves[1].san == "Nf6");
    CHECK(spot.moves[1].against.games == 0);
    CHECK(spot.moves[1].tally.games == 1);
    CHECK(found.lost.size() == 5);
    CHECK(prepared(*reader, "Hero", Color::kBlack).total.score.games == 0);
}
