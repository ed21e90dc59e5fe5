// The library's interface: its values against what the program prints, its errors, its threads.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "fendex/fendex.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex::test;
using fendex::Database;
using fendex::ErrorKind;
using Json = nlohmann::json;

const std::string kMate = "r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23";

struct Fixture {
    TemporaryDirectory directory;
    std::string path = directory / "my.db";
    Database db = Database::open(path, fendex::Open::kCreate);

    Fixture() { db.import({std::string(FENDEX_SAMPLES)}); }
    std::vector<Json> program(std::vector<std::string> words) const {
        words.insert(words.begin(), FENDEX_BINARY);
        words.insert(words.end(), {"--format", "json"});
        std::vector<Json> rows;
        for (const std::string& line : lines_of(run_process(words).out)) {
            rows.push_back(Json::parse(line));
        }
        return rows;
    }
};

template <typename Act>
ErrorKind kind_of_failure(Act act) {
    try {
        act();
    } catch (const fendex::Error& error) {
        CHECK(!std::string(error.what()).empty());
        return error.kind();
    }
    FAIL("nothing was thrown");
    return ErrorKind::kSystem;
}

}  // namespace

TEST_CASE("the library finds the games that the program finds") {
    const Fixture fixture;
    const auto rows =
        fixture.program({"find", fixture.path, "--moves", "1.e4 e5", "--limit", "999"});
    REQUIRE(rows.size() > 10);
    std::size_t row = 0;
    for (const fendex::Hit& hit : fixture.db.find({.moves = "1.e4 e5"})) {
        REQUIRE(row < rows.size());
        CHECK(hit.game.id == rows[row]["game_id"]);
        CHECK(hit.plies == rows[row]["plies"].get<std::vector<std::uint32_t>>());
        CHECK(hit.game.white == rows[row]["white"]);
        CHECK((hit.san.empty() ? Json() : Json(hit.san)) == rows[row]["san"]);
        ++row;
    }
    CHECK(row == rows.size());
    CHECK(fixture.db.count({.moves = "1.e4 e5"}).games == rows.size());
}

TEST_CASE("the library gives the same tree, repetitions and lists as the program") {
    const Fixture fixture;
    const fendex::Tree tree = fixture.db.tree({.moves = "1.e4", .filter = {.since = "2000"}});
    const Json shown =
        fixture.program({"tree", fixture.path, "--moves", "1.e4", "--since", "2000"}).at(0);
    CHECK(tree.fen == shown["fen"]);
    CHECK(tree.score.games == shown["games"]);
    REQUIRE(tree.moves.size() == shown["moves"].size());
    for (std::size_t i = 0; i < tree.moves.size(); ++i) {
        CHECK(tree.moves[i].uci == shown["moves"][i]["uci"]);
        CHECK(tree.moves[i].score.black == shown["moves"][i]["black"]);
        CHECK(tree.moves[i].reached == shown["moves"][i]["reached"].get<std::uint64_t>());
    }

    std::vector<Json> repeats;
    fixture.db.repeats({.missed = true}, [&](const fendex::Repeat& repeat) {
        repeats.push_back({{"game_id", repeat.game.id}, {"fen", repeat.fen}});
        CHECK((repeat.claimant || repeat.announcer));
        return true;
    });
    const auto rows = fixture.program({"repeats", fixture.path, "--missed"});
    REQUIRE(repeats.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(repeats[i]["game_id"] == rows[i]["game_id"]);
        CHECK(repeats[i]["fen"] == rows[i]["fen"]);
    }

    const auto games = fixture.db.games({.player = "anand"}, fendex::Order::kDate);
    const auto listed =
        fixture.program({"games", fixture.path, "--player", "anand", "--sort", "date"});
    REQUIRE(games.size() == listed.size());
    for (std::size_t i = 0; i < games.size(); ++i) CHECK(games[i] == listed[i]["game_id"]);
}

TEST_CASE("the library gives a game with its tags, plies and PGN") {
    const Fixture fixture;
    const fendex::FullGame game = fixture.db.game(1);
    CHECK(game.game.white == "Anderssen, Adolf");
    const auto rows = fixture.program({"show", fixture.path, "1", "--plies"});
    REQUIRE(game.plies.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(game.plies[i].fen == rows[i]["fen"]);
        CHECK(game.plies[i].epd == rows[i]["epd"]);
        CHECK(game.plies[i].occurrence == rows[i]["occurrence"]);
        CHECK((game.plies[i].uci.empty() ? Json() : Json(game.plies[i].uci)) == rows[i]["uci"]);
    }
    CHECK(game.pgn == run_process({FENDEX_BINARY, "show", fixture.path, "1"}).out);
    CHECK(game.tags.at(0).second == fixture.db.header(1).event);
}

TEST_CASE("the library finds positions in variations") {
    const TemporaryDirectory directory;
    const std::string pgn = directory.write(
        "a.pgn",
        "[White \"A\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 (2. f4) *\n\n"
        "[White \"B\"]\n\n1. e4 c5 2. Nf3 *\n\n[White \"C\"]\n\n1. d4 (1. e4 c5) d5 *\n\n");
    Database db = Database::open(directory / "my.db", fendex::Open::kCreate);
    db.import({pgn}, {.variations = true});
    const auto ids = [&](bool variations) {
        std::string out;
        for (const auto& hit : db.find({.moves = "1.e4 c5", .variations = variations})) {
            out += std::to_string(hit.game.id) + (hit.line.empty() ? " " : "(" + hit.line + ") ");
        }
        return out;
    };
    CHECK(ids(false) == "2 ");
    CHECK(ids(true) == "1(1...c5) 2 3(1.e4 c5) ");
}

TEST_CASE("an error of the library has a kind") {
    const TemporaryFile path("my.db");
    CHECK(kind_of_failure([&] { static_cast<void>(Database::open(path)); }) == ErrorKind::kAbsent);
    const std::string text = path.write_beside("a.txt", "no database at all, but some words");
    CHECK(kind_of_failure([&] { static_cast<void>(Database::open(text)); }) ==
          ErrorKind::kNotADatabase);

    Database db = Database::open(path, fendex::Open::kCreate);
    CHECK(!std::filesystem::exists(path));
    CHECK(kind_of_failure([&] { db.import({text}); }) == ErrorKind::kImport);
    db.import({std::string(FENDEX_SAMPLES) + "/classics.pgn"});
    const auto find = [&](const fendex::Question& question) {
        return kind_of_failure([&] {
            for (const auto& hit : db.find(question)) static_cast<void>(hit);
        });
    };
    CHECK(find({.fen = "8/8/8/8 w - -"}) == ErrorKind::kQuestion);
    CHECK(find({.moves = "1.e5"}) == ErrorKind::kQuestion);
    CHECK(find({.variant = "chess of tomorrow"}) == ErrorKind::kQuestion);
    CHECK(find({.filter = {.since = "yesterday"}}) == ErrorKind::kQuestion);
    CHECK(kind_of_failure([&] { static_cast<void>(db.game(999)); }) == ErrorKind::kAbsent);

    std::stop_source stop;
    stop.request_stop();
    CHECK(kind_of_failure([&] { static_cast<void>(db.tree({}, stop.get_token())); }) ==
          ErrorKind::kStopped);
    CHECK(kind_of_failure([&] { db.import({text}, {}, stop.get_token()); }) == ErrorKind::kStopped);
}

TEST_CASE("a stop token ends an iteration, and open results outlive their database") {
    const Fixture fixture;
    std::stop_source stop;
    fendex::Hits hits = Database(fixture.db).find({}, stop.get_token());
    auto hit = hits.begin();
    CHECK(hit->game.id == 1);
    ++hit;
    CHECK(hit->game.id == 2);
    stop.request_stop();
    CHECK(kind_of_failure([&] { ++hit; }) == ErrorKind::kStopped);
}

TEST_CASE("several threads can query one database while games are imported") {
    const Fixture fixture;
    const fendex::Count before = fixture.db.count({});
    const std::string more = fixture.directory.write("more.pgn", "1. e4 e5 2. Ke2 *\n");
    std::vector<std::uint64_t> seen(4);
    std::vector<std::jthread> threads;
    for (std::uint64_t& games : seen) {
        threads.emplace_back([&] {
            for (int i = 0; i < 20; ++i) games = fixture.db.count({}).games;
        });
    }
    Database(fixture.db).import({more});
    threads.clear();
    for (const std::uint64_t games : seen) {
        CHECK((games == before.games || games == before.games + 1));
    }
    CHECK(fixture.db.count({}).games == before.games + 1);
}
