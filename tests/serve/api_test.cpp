#include "serve/api/api.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "serve/api_client.hpp"
#include "serve/api_samples.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"

using fendex::serve::Answer;
using fendex::test::ApiClient;
using fendex::test::printed;
using fendex::test::run_process;
using fendex::test::Samples;
using fendex::test::without;
using nlohmann::json;

TEST_CASE("The API answers a position with its legal moves") {
    ApiClient client({Samples::get().classics()});
    const json start = client.json("/api/v1/position");
    const json plain_fen = printed({"fen", "startpos"})[0];
    for (const auto& [name, value] : plain_fen.items()) {
        if (name == "input" || name == "valid") continue;
        CHECK(start[name] == value);
    }
    CHECK(start["legal"].size() == 20);
    CHECK(start["turn"] == "white");
    CHECK(start["line"].empty());
    const json line = client.json("/api/v1/position?play=e2e4,e7e5&moves=2.Nf3 Nc6");
    CHECK(line["line"].size() == 4);
    CHECK(line["line"][3]["san"] == "Nc6");
    CHECK(line["line"][3]["fen"] == line["fen"]);
    CHECK(line["opening"]["eco"] == "C44");
    CHECK(line["line"][1]["opening"]["eco"] == "C20");
    const json pasted = client.json(
        "/api/v1/position?fen=https://lichess.org/analysis/crazyhouse/"
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_b_KQkq_-_0_1");
    CHECK(pasted["variant"] == "crazyhouse");
    CHECK(pasted["side"] == "black");
}

TEST_CASE("Castling is written in the form of the variant") {
    ApiClient client({Samples::get().classics()});
    const std::string fen = "fen=r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const auto uci_of = [](const json& answer, const std::string& san) {
        for (const json& move : answer["legal"]) {
            if (move["san"] == san) return move["uci"].get<std::string>();
        }
        return std::string();
    };
    CHECK(uci_of(client.json("/api/v1/position?" + fen), "O-O") == "e1g1");
    CHECK(uci_of(client.json("/api/v1/position?variant=chess960&" + fen), "O-O") == "e1h1");
    for (const char* const play : {"e1g1", "e1h1"}) {
        const json line = client.json("/api/v1/position?" + fen + "&play=" + play);
        CHECK(line["line"][0]["san"] == "O-O");
        CHECK(line["line"][0]["uci"] == "e1g1");
    }
}

TEST_CASE("Answers have drops, pockets and checks given") {
    ApiClient client({Samples::get().classics()});
    const json house = client.json("/api/v1/position?variant=crazyhouse&moves=e4 d5 exd5 Qxd5");
    CHECK(house["pockets"]["white"] == "P");
    CHECK(house["pockets"]["black"] == "P");
    unsigned drops = 0;
    for (const json& move : house["legal"]) {
        if (move["drop"].is_null()) continue;
        ++drops;
        CHECK(move["drop"] == "p");
        CHECK(move["from"].is_null());
    }
    CHECK(drops > 10);
    const json dropped =
        client.json("/api/v1/position?variant=crazyhouse&moves=e4 d5 exd5 Qxd5&play=");
    CHECK(dropped["fen"] == house["fen"]);
    const json checks = client.json("/api/v1/position?variant=3check&moves=e4 e5 Qh5 a6 Qxf7");
    CHECK(checks["checks"]["white"] == 1);
    CHECK(checks["variant"] == "3check");
    CHECK(client.json("/api/v1/position")["checks"].is_null());
}

TEST_CASE("The API gives the same tree as the command line") {
    ApiClient client({Samples::get().classics(), Samples::get().online()});
    json tree = client.json("/api/v1/tree?moves=1.e4 e5");
    for (json& move : tree["moves"]) {
        CHECK(move.contains("played"));
        move.erase("played");
        for (json& game : move["topGames"]) game.erase("ref");
    }
    for (const char* const list : {"topGames", "recentGames"}) {
        for (json& game : tree[list]) {
            const std::string number = std::to_string(game["game_id"].get<int>());
            CHECK(game["ref"] ==
                  (game["database"] == Samples::get().classics() ? number : "2:" + number));
            game.erase("ref");
        }
    }
    CHECK(tree == printed({"tree", Samples::get().classics(), Samples::get().online(), "--moves",
                           "1.e4 e5"})[0]);
    CHECK(client.json("/api/v1/tree?limit=1")["moves"].size() == 1);
}

TEST_CASE("The API gives every ply of a game") {
    const std::string& path = Samples::get().classics();
    ApiClient client({path, Samples::get().online()});
    for (unsigned number = 1; number < fendex::test::fewer(8U, 2); ++number) {
        const std::string ref = std::to_string(number);
        const json game = client.json("/api/v1/games/" + ref + "?reached=true");
        const json shown = printed({"show", path, ref})[0];
        const std::vector<json> plies = printed({"show", path, ref, "--plies"});
        CHECK(game["ref"] == ref);
        for (const auto& [name, value] : shown.items()) {
            CHECK(game[name] == value);
        }
        REQUIRE(game["line"].size() == plies.size() - 1);
        for (std::size_t i = 0; i < game["line"].size(); ++i) {
            const json& move = game["line"][i];
            // Moves have the evaluations of annotations, as texts.
            const json ply = without(plies[i + 1], {"eval", "mate", "depth"});
            for (const auto& [name, value] : ply.items()) {
                CHECK(move[name] == value);
            }
            CHECK(move["reached"] >= 1);
        }
        CHECK(client.ask("/api/v1/games/" + ref + ".pgn").body ==
              run_process({FENDEX_BINARY, "show", path, ref, "--format", "pgn"}).out);
    }
    CHECK(client.json("/api/v1/games/2:1")["database"] == Samples::get().online());
    for (const std::string ref : {"0", "99999", "3:1", "2:", "x", ":1", "-1", "0:1"}) {
        CHECK(client.status("/api/v1/games/" + ref) == 404);
    }
}

TEST_CASE("Comments, glyphs and variations stand at their moves") {
    const fendex::test::TemporaryDirectory folder;
    const std::string pgn = folder.write(
        "a.pgn",
        "[White \"A\"]\n\n{Before} 1. e4 $1 {[%clk 0:01:30] [%eval 0.31] good} (1. d4 {other} d5! "
        "(1... Nf6 2. c4) 2. c4) 1... e5 {[%cal Ge2e4]} (1... c5) 2. Nf3?! {[%eval #-3]} *\n");
    const std::string path = folder / "a.db";
    REQUIRE(run_process({FENDEX_BINARY, "import", path, pgn, "--variations", "--quiet"}).status ==
            0);
    const json game = ApiClient({path}).json("/api/v1/games/1");
    CHECK(game["comment"] == "Before");
    const json& moves = game["line"];
    REQUIRE(moves.size() == 3);
    CHECK(moves[0]["clock"] == 90);
    CHECK(moves[0]["eval"] == "0.31");
    CHECK(moves[0]["comment"] == "good");
    CHECK(moves[0]["nags"] == json::array({1}));
    REQUIRE(moves[0]["variations"].size() == 1);
    const json& queen_pawn = moves[0]["variations"][0];
    CHECK(queen_pawn["ply"] == 1);
    REQUIRE(queen_pawn["line"].size() == 3);
    CHECK(queen_pawn["line"][0]["comment"] == "other");
    CHECK(queen_pawn["line"][1]["nags"] == json::array({1}));
    CHECK(queen_pawn["line"][1]["variations"][0]["line"][1]["san"] == "c4");
    CHECK(moves[1]["comment"] == "[%cal Ge2e4]");
    CHECK(moves[1]["variations"][0]["line"][0]["san"] == "c5");
    CHECK(moves[2]["eval"] == "#-3");
    CHECK(moves[2]["nags"] == json::array({6}));
    CHECK(moves[2]["comment"].is_null());
}

TEST_CASE("The API sums up its databases") {
    ApiClient client({Samples::get().classics(), Samples::get().online()});
    const json stats = client.json("/api/v1/stats");
    REQUIRE(stats["databases"].size() == 2);
    const json first = printed({"info", Samples::get().classics()})[0];
    const json second = printed({"info", Samples::get().online()})[0];
    CHECK(without(stats["databases"][0], {"name"}) == first);
    CHECK(stats["games"] == first["games"].get<int>() + second["games"].get<int>());
}

TEST_CASE("An error of the API says what is wrong with a parameter") {
    ApiClient client({Samples::get().classics()});
    const auto refused = [&](const std::string& target, const std::string& field) {
        INFO(target);
        const Answer answer = client.ask(target);
        CHECK(answer.status == 400);
        CHECK(json::parse(answer.body)["error"]["field"] == field);
    };
    refused("/api/v1/position?fen=nonsense", "fen");
    refused("/api/v1/position?play=e2e5", "play");
    refused("/api/v1/position?moves=e9", "moves");
    refused("/api/v1/position?variant=bughouse", "variant");
    refused("/api/v1/position?limit=3", "limit");
    refused("/api/v1/tree?match=similar", "match");
    refused("/api/v1/tree?min-games=many", "min-games");
    refused("/api/v1/games?since=yesterday", "since");
    refused("/api/v1/games?limit=0", "limit");
    refused("/api/v1/games?limit=1001", "limit");
    refused("/api/v1/games?limit=5&limit=6", "limit");
    refused("/api/v1/games?cursor=x", "cursor");
    refused("/api/v1/games?count=yes", "count");
    refused("/api/v1/games?source=none.pgn", "source");
    refused("/api/v1/find?pattern=zzz", "pattern");
    refused("/api/v1/find?key=12", "key");
    refused("/api/v1/find?key=0123456789abcdef&fen=x", "key");
}

TEST_CASE("Clients of cloud-eval get the members and the 404 of lichess.org") {
    const fendex::test::TemporaryDirectory folder;
    const std::string database = folder / "evaluated.db";
    const std::string lines = folder.write(
        "evals.jsonl",
        R"({"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","evals":[)"
        R"({"pvs":[{"cp":25,"line":"e2e4 e7e5"}],"knodes":900,"depth":50},)"
        R"({"pvs":[{"cp":20,"line":"d2d4"},{"mate":-3,"line":"e2e4"}],"knodes":7,"depth":40}]})"
        "\n");
    REQUIRE(run_process({FENDEX_BINARY, "import", database, lines, "--quiet"}).status == 0);
    ApiClient client({database});
    const std::string fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const std::string start = "/api/cloud-eval?fen=" + fen;
    CHECK(client.ask(start).body == R"({"fen":")" + fen +
                                        R"(","knodes":900,"depth":50,"pvs":[)"
                                        R"({"moves":"e2e4 e7e5","cp":25}]})");
    CHECK(client.ask(start + "&multiPv=2&unknown=x").body ==
          R"({"fen":")" + fen +
              R"(","knodes":7,"depth":40,"pvs":[{"moves":"d2d4","cp":20},)"
              R"({"moves":"e2e4","mate":-3}]})");
    for (const char* const none : {"&multiPv=3", "&variant=atomic"}) {
        const Answer answer = client.ask(start + none);
        CHECK(answer.status == 404);
        CHECK(answer.body == R"({"error":"No cloud evaluation available for that position"})");
    }
    CHECK(client.ask("/api/cloud-eval?fen=nonsense").status == 400);
    CHECK(client.json("/api/v1/evals")["others"][0]["pvs"][1]["mate"] == -3);
}

TEST_CASE("A game of the API has what records say of its positions") {
    const fendex::test::TemporaryDirectory folder;
    const std::string database = folder / "evaluated.db";
    std::filesystem::copy_file(Samples::get().classics(), database);
    const std::string lines =
        folder.write("evals.jsonl",
                     R"({"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","evals":[)"
                     R"({"pvs":[{"mate":-3,"line":"e7e5"}],"knodes":900,"depth":50}]})"
                     "\n");
    REQUIRE(run_process({FENDEX_BINARY, "import", database, lines, "--quiet"}).status == 0);
    ApiClient client({database});
    const json game = client.json("/api/v1/games/1");
    CHECK(game["line"][0]["eval"].is_null());
    CHECK(game["record_evals"].size() == game["line"].size());
    CHECK(game["record_evals"][0].dump() == R"({"depth":50,"mate":-3})");
    CHECK(game["record_evals"] == printed({"show", database, "1"})[0]["record_evals"]);
}
