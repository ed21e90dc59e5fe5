#include <algorithm>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

Outcome tree(const Words& words) {
    Words all{"tree", samples_database()};
    all.insert(all.end(), words.begin(), words.end());
    return run(all);
}

Json tree_json(Words words) {
    words.insert(words.end(), {"--format", "json"});
    const Outcome outcome = tree(words);
    CHECK(outcome.err.empty());
    const std::vector<Json> lines = json_lines(outcome.out);
    REQUIRE(lines.size() == 1);
    return lines.front();
}

}  // namespace

TEST_CASE("tree as JSON has the shape of the Lichess explorer") {
    const Json start = tree_json({});
    for (const char* const member : {"white", "draws", "black", "moves", "topGames", "recentGames",
                                     "opening", "games", "occurrences", "ended", "fen"}) {
        CAPTURE(member);
        CHECK(start.contains(member));
    }
    CHECK(start["games"] == 106);
    CHECK(start["fen"] == kStart);
    const Json& first = start["moves"][0];
    CHECK(first["uci"] == "e2e4");
    CHECK(first["san"] == "e4");
    CHECK(first["games"] == 56);
    CHECK(first["reached"] == 56);
    CHECK(first["opening"]["eco"] == "B00");
    CHECK(first["topGames"].size() == 4);
    for (const char* const member :
         {"averageRating", "performance", "last_year", "white", "draws", "black"}) {
        CAPTURE(member);
        CHECK(first.contains(member));
    }
    const Json& best = start["topGames"][0];
    CHECK(members(best) ==
          Words{"uci", "game_id", "winner", "result", "white", "black", "year", "date", "event"});
    CHECK(members(best["white"]) == Words{"name", "rating"});

    // Castling is king takes rook, as in the Lichess explorer.
    const Json ruy = tree_json({"--play", "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6"});
    CHECK(tree_json({"--play", "1.e4 e5 2.Nf3 Nc6 3.Bb5"})["opening"]["name"] == "Ruy Lopez");
    CHECK(ruy["moves"][0]["uci"] == "e1h1");
    CHECK(ruy["moves"][0]["san"] == "O-O");
}

TEST_CASE("tree goes on from a position with SAN or UCI moves") {
    const Json san = tree_json({"--play", "1.d4 Nf6 2.c4 e6 3.Nc3"});
    CHECK(tree_json({"--play", "d2d4 g8f6 c2c4 e7e6 b1c3"}) == san);
    CHECK(tree_json({"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1", "--play",
                     "Nf6 c4 e6 Nc3"})["moves"] == san["moves"]);
    CHECK(san["games"] == 12);  // by any order of moves
    check_refused(tree({"--play", "1.e4 e5 2.Ke3"}), {"--play", "ply 2", "Ke3"});
    check_refused(tree({"not/a/fen w - -"}), {"not/a/fen"});
    check_refused(tree({"--depth", "0"}), {"--depth"});
    check_refused(tree({"--depth", "2", "--format", "csv"}), {"csv"});
    CHECK(tree({"8/8/8/8/8/k7/8/K6R w - - 0 1"}).status == 1);
}

TEST_CASE("tree --depth --min-games gives moves trees of their own") {
    const Json deep = tree_json({"--depth", "3", "--min-games", "5"});
    const Json& e4 = deep["moves"][0];
    CHECK(e4["tree"]["games"] == 56);
    for (const Json& move : e4["tree"]["moves"]) {
        CHECK(move["games"] >= 5);
        CHECK(move.contains("tree"));
        for (const Json& reply : move["tree"]["moves"]) CHECK_FALSE(reply.contains("tree"));
    }
    CHECK_FALSE(tree_json({"--no-transpositions"})["moves"][0].contains("reached"));
}

TEST_CASE("A deep tree is limited and says what it leaves out") {
    for (const char* const format : {"table", "json"}) {
        const Outcome deep = tree({"--depth", "120", "--format", format});
        CHECK(deep.status == 0);
        CHECK(deep.err ==
              "fendex: --depth 120 leaves out moves of fewer than 2 games; --min-games N sets "
              "that number\n");
        CHECK((tree({"--depth", "120", "--format", format, "--min-games", "2"}).out == deep.out));
    }
    CHECK(tree({"--depth", "10"}).err.empty());
    const Outcome whole = tree({"--depth", "30", "--min-games", "1"});
    CHECK(whole.err.empty());
    CHECK(lines_of(whole.out).size() > 1000);  // more than a table holds back for its widths
    CHECK_THAT(whole.out, Contains("Best rated games"));
}

TEST_CASE("A line of the tree ends when it returns to a position") {
    const TemporaryFile database("knights.db");
    const std::string games = database.write_beside(
        "knights.pgn", small_game(1, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *"));
    REQUIRE(run({"import", database, games}).status == 0);
    const auto lines = lines_of(run({"tree", database, "--depth", "9"}).out);
    const auto has = [&](const char* const move) {
        return std::count_if(lines.begin(), lines.end(), [&](const std::string& line) {
            return line.find(move) != std::string::npos;
        });
    };
    CHECK(has("1.e4") == 1);
    CHECK(has("1.Nf3") == 1);
    CHECK(has("2...Ng8") == 1);
    CHECK(has("3.") == 0);
    const Json json =
        json_lines(run({"tree", database, "--depth", "9", "--format", "json"}).out).at(0);
    const Json* move = &json["moves"][0];
    for (unsigned ply = 1; ply < 4; ++ply) {
        REQUIRE(move->contains("tree"));
        move = &(*move)["tree"]["moves"][0];
    }
    CHECK((*move)["san"] == "Ng8");
    CHECK_FALSE(move->contains("tree"));
}

TEST_CASE("tree as a table has bars") {
    const Outcome table = tree({});
    CHECK(table.status == 0);
    const auto lines = lines_of(table.out);
    CHECK(lines[0] == kStart);
    CHECK(lines[1] == "106 games");
    CHECK_THAT(lines[3], Contains("move") && Contains("reached") && Contains("opening"));
    CHECK_THAT(lines[4], Contains("1.e4") && Contains("53 %") && Contains("\xE2\x96\x88") &&
                             Contains("B00 King's Pawn Game"));
    CHECK_THAT(table.out, Contains("Best rated games") && Contains("Latest games"));
    // The immortal game ended in this position.
    const Outcome ended = tree({kMate});
    CHECK(ended.status == 0);
    CHECK_THAT(ended.out, Contains("(game ends here)") && Contains("100 %"));
    // No escape sequences in a pipe.
    CHECK(table.out.find('\x1b') == std::string::npos);
}

TEST_CASE("tree as CSV has a line for each move") {
    const auto lines = lines_of(tree({"--format", "csv"}).out);
    CHECK(lines[0] ==
          "uci,san,games,white,draws,black,average_rating,performance,last_year,reached,eco,"
          "opening,cp,mate,depth\r");
    CHECK_THAT(lines[1], Catch::Matchers::StartsWith("e2e4,e4,56,"));
    CHECK_THAT(lines[1], Contains(",56,B00,King's Pawn Game,,,\r"));
}

TEST_CASE("tree --match and filters change what is summed") {
    const Json mirrored = tree_json({"--match", "mirrored"});
    CHECK(mirrored["games"] == 106);  // no game had a null move first
    const Json white = tree_json({"--result", "1-0"});
    CHECK(white["draws"] == 0);
    CHECK(white["black"] == 0);
    CHECK(white["games"] == tree_json({})["white"]);
    CHECK(tree({"--player", "nobody of this name"}).status == 1);
}

TEST_CASE("tree of several positions gives a tree for each, in their order") {
    const TemporaryDirectory directory;
    const std::string start = kStart.substr(0, kStart.size() - 4);
    const std::string epd =
        directory.write("asked.epd", start + " id \"start\"; bm e4;\n8/8 w - -\n" + kMate +
                                         "\n8/8/8/8/8/8/8/K1k5 w - - ;\n");
    const Outcome json = tree({epd, "--format", "json"});
    CHECK(json.status == 2);
    CHECK_THAT(json.err, Contains(epd + ":2: placement"));
    const auto trees = json_lines(json.out);
    REQUIRE(trees.size() == 3);
    CHECK(members(trees[0])[0] == "query");
    CHECK(trees[0]["query"] == 1);
    CHECK(trees[0]["id"] == "start");
    CHECK(trees[0]["bm"] == "e4");
    CHECK(trees[1]["query"] == 3);
    CHECK(trees[2]["games"] == 0);
    // Apart from the question, each tree is the same as alone.
    Json alone = trees[0];
    for (const char* const member : {"query", "id", "bm"}) alone.erase(member);
    CHECK(alone == tree_json({}));
    alone = trees[1];
    alone.erase("query");
    CHECK(alone == tree_json({kMate}));

    const std::string csv = tree({epd, "--format", "csv"}).out;
    CHECK(csv.substr(0, csv.find('\n')) ==
          "query,id,bm,am,c0,uci,san,games,white,draws,black,average_rating,performance,last_year,"
          "reached,eco,opening,cp,mate,depth\r");
    CHECK_THAT(csv, Contains("\r\n1,start,e4,,,e2e4,e4,56,") && Contains("\r\n3,,,,,,,1,") &&
                        Contains("\r\n4,,,,,,,0,0,0,0,,,,,,,,,\r\n"));
    CHECK_THAT(tree({epd}).out, Contains("query 1: id start; bm e4\n" + kStart + "\n") &&
                                    Contains("\n\n" + kMate + "\n"));

    const auto played = json_lines(
        tree({kStart, directory.write("start.fen", kStart), "--play", "1.e4", "--format", "json"})
            .out);
    REQUIRE(played.size() == 2);
    CHECK(played[0]["games"] == 56);
    CHECK(played[1]["games"] == 56);
    const Outcome impossible = tree({kStart, kMate, "--play", "1.e4", "--format", "json"});
    CHECK(impossible.status == 2);
    CHECK(json_lines(impossible.out).size() == 1);
    CHECK(tree({"8/8/8/8/8/8/8/K1k5 w - -", "8/8/8/8/8/8/8/K2k4 w - -"}).status == 1);
    check_refused(tree({directory.write("none.fen", "# none\n")}), {"none in the file"});
    const std::string unplayable = directory.write("two.fen", "# two\n" + kStart + "\n");
    check_refused(tree({unplayable, "--play", "Ke2"}), {unplayable + ":2: --play", "'Ke2'"});
    check_refused(tree({kStart, "--play", "Ke2"}), {"'" + kStart + "': --play", "'Ke2'"});
}

TEST_CASE("tree --variations counts a game once for each move that it or a variation plays") {
    const TemporaryDirectory directory;
    const std::string database = directory / "my.db";
    const std::string games =
        "[White \"A\"]\n[WhiteElo \"2000\"]\n[Result \"1-0\"]\n\n"
        "1. e4 e5 (1... c5 2. Nf3 (2. Nf3 d6)) (1... e5 2. f4) 2. Nf3 1-0\n\n"
        "[White \"B\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. c3 (2. Nf3 d6) 0-1\n\n"
        "[White \"C\"]\n[Result \"1/2-1/2\"]\n\n1. d4 (1. e4 e6) (1. Nf3 c5 2. e4 d6) 1... d5 "
        "1/2-1/2\n\n";
    REQUIRE(run({"import", database, directory.write("games.pgn", games), "--variations"}).status ==
            0);
    const auto tree = [&](const std::string& moves, Words words = {"--variations"}) {
        words.insert(words.begin(), {"tree", database, "--moves", moves, "--format", "json"});
        return json_lines(run(words).out).at(0);
    };
    const auto rows = [&](const Json& of) {
        Words out;
        for (const Json& move : of["moves"]) {
            out.push_back(move["san"].get<std::string>() + ' ' + move["games"].dump() + " +" +
                          move["white"].dump() + '=' + move["draws"].dump() + '-' +
                          move["black"].dump());
        }
        std::ranges::sort(out);
        return out;
    };
    const Json after_e4 = tree("1.e4");
    CHECK(rows(after_e4) == Words{"c5 2 +1=0-1", "e5 1 +1=0-0", "e6 1 +0=1-0"});
    CHECK(after_e4["games"] == 3);
    CHECK(after_e4["moves"][0]["averageRating"].is_null());
    CHECK(rows(tree("1.e4", {})) == Words{"c5 1 +0=0-1", "e5 1 +1=0-0"});
    const Json sicilian = tree("1.e4 c5");
    CHECK(rows(sicilian) == Words{"Nf3 2 +1=0-1", "c3 1 +0=0-1"});
    CHECK(sicilian["games"] == 2);
    // By another order of moves, and only in variations.
    CHECK(rows(tree("1.e4 c5 2.Nf3")) == Words{"d6 3 +1=1-1"});
    CHECK(tree("1.e4 c5 2.Nf3")["games"] == 3);
    CHECK(rows(tree("1.e4", {"--variations", "--min-games", "2"})) == Words{"c5 2 +1=0-1"});
    CHECK(rows(tree("1.e4", {"--variations", "--result", "1-0"})) ==
          Words{"c5 1 +1=0-0", "e5 1 +1=0-0"});
    CHECK(rows(tree("1.e4", {"--variations", "--depth", "2"})) == rows(after_e4));
    check_refused(run({"tree", database, "--variations", "--match", "board"}), {"--variations"});
    const std::string plain = directory / "plain.db";
    REQUIRE(run({"import", plain, directory / "games.pgn"}).status == 0);
    CHECK(run({"tree", plain, "--variations"}).out == run({"tree", plain}).out);
}
