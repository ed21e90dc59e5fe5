// fendex repeats: its rows in every format, its options and errors.
#include <algorithm>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

std::vector<Json> repeats(std::vector<std::string> options,
                          const std::string& database = samples_database()) {
    options.insert(options.begin(), {"repeats", database, "--format", "json"});
    const Outcome outcome = run(options);
    CHECK(outcome.err.empty());
    CHECK(outcome.status == (outcome.out.empty() ? 1 : 0));
    return json_lines(outcome.out);
}

void check_refused(const std::vector<std::string>& options, const std::string& why) {
    std::vector<std::string> words{"repeats", samples_database()};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run(words);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains(why));
}

/// Games with moves to and fro, 1-0 and 0-1: White is to move at the third occurrence, after 8
/// plies.
const std::string& knights_database() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        const std::string moves = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8";
        std::string pgn;
        for (const std::string end : {" 5. e4 0-1", " 5. e4 1-0", " 1/2-1/2", " 0-1"}) {
            pgn += "[White \"A\"]\n[Date \"2001.02.03\"]\n\n" + moves + end + "\n\n";
        }
        const std::string database = directory / "knights.db";
        REQUIRE(run({"import", database, directory.write("knights.pgn", pgn)}).status == 0);
        return database;
    }();
    return path;
}

std::vector<int> games_of(const std::vector<Json>& rows) {
    std::vector<int> games;
    for (const Json& row : rows) games.push_back(row["game_id"]);
    return games;
}

}  // namespace

TEST_CASE("repeats as JSON gives a line per game and position") {
    const std::string out = run({"repeats", knights_database(), "--format", "json"}).out;
    CHECK_THAT(
        out,
        StartsWith(R"({"game_id":1,"key":"463b96181691fc9c",)"
                   R"("fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","count":3,)"
                   R"("plies":[0,4,8],"third_ply":8,"fifth_ply":null,"played_on":1,"result":"0-1",)"
                   R"("white":"A","black":null,"date":"2001.02.03","event":null,"site":null,)"
                   R"("round":null,"white_elo":null,"black_elo":null,"eco":null,)"
                   R"("claimant":"white","ended":false,"checks":null})"
                   "\n"));
    const auto rows = repeats({}, knights_database());
    CHECK(games_of(rows) == std::vector<int>{1, 2, 3, 4});
    CHECK(rows[2]["ended"] == true);
    CHECK(rows[2]["played_on"] == 0);

    const auto twice = repeats({"--min", "2", "--game", "2"}, knights_database());
    REQUIRE(twice.size() == 4);
    CHECK(twice[0]["plies"] == Json({0, 4, 8}));
    CHECK(twice[1]["plies"] == Json({1, 5}));
    for (const char* const name : {"third_ply", "fifth_ply", "played_on", "claimant", "ended"}) {
        CHECK(twice[1][name].is_null());
    }
}

TEST_CASE("repeats --missed finds who could have claimed, went on and lost") {
    // In game 4 White lost too, but nothing was played after the third time.
    const auto rows = repeats({"--missed"}, knights_database());
    CHECK(rows == repeats({"--missed", "--claims"}, knights_database()));
    // In game 2 Black, who lost, made the move that led to the position.
    REQUIRE(games_of(rows) == std::vector<int>{1, 1, 2});
    CHECK(rows[0]["claimant"] == "white");
    CHECK(rows[2]["claimant"] == "white");
    CHECK(rows[2]["announcer"] == "black");
    CHECK(rows[2]["announced_ply"] == 7);
    CHECK(rows[2]["announced_move"] == "Ng8");
    // In game 1 White could also have announced a move after which a position comes a third time,
    // but played another one.
    const Json& unplayed = rows[1];
    CHECK(unplayed["plies"] == Json({1, 5}));
    for (const char* const name : {"third_ply", "fifth_ply", "played_on", "claimant", "ended"}) {
        CHECK(unplayed[name].is_null());
    }
    CHECK(unplayed["announcer"] == "white");
    CHECK(unplayed["announced_ply"] == 8);
    CHECK(unplayed["announced_move"] == "Nf3");
    CHECK(unplayed["announced_plies"] == Json({8}));
}

TEST_CASE("repeats --claims finds claims with an announced move, played or not") {
    const auto rows = repeats({"--claims"}, knights_database());
    CHECK(games_of(rows) == std::vector<int>{1, 1, 2, 2, 3, 3, 4, 4});
    // With a minimum above three, only what was played so often counts.
    CHECK(repeats({"--claims", "--min", "4"}, knights_database()).empty());
    const auto twice = repeats({"--claims", "--min", "2"}, knights_database());
    CHECK(twice.size() == repeats({"--min", "2"}, knights_database()).size());

    const std::string table = run({"repeats", knights_database(), "--missed"}).out;
    CHECK_THAT(lines_of(table).at(0), EndsWith("announced_ply  announced_move  cp  mate  depth"));
    CHECK_THAT(lines_of(table).at(2), EndsWith("white                  8  Nf3"));
}

TEST_CASE("repeats --rule50 --claims: the fiftieth move could have been announced") {
    const TemporaryDirectory directory;
    const std::string start = "[FEN \"7k/8/8/8/8/8/P3R3/K7 w - - 98 60\"]\n\n";
    const std::string database = directory / "a.db";
    REQUIRE(run({"import", database,
                 directory.write("a.pgn", start + "1. Kb1 Kg8 2. a3 0-1\n\n" + start +
                                              "1. Kb1 *\n\n" + start + "1. a3 *\n")})
                .status == 0);
    const auto rows = repeats({"--rule50", "--claims"}, database);
    REQUIRE(games_of(rows) == std::vector<int>{1, 2});
    CHECK(rows[0]["ply50"] == 2);
    CHECK(rows[0]["claimant"] == "white");
    for (const Json& row : rows) {
        CHECK(row["announcer"] == "black");
        CHECK(row["announced_ply"] == 1);
    }
    CHECK(rows[0]["announced_move"] == "Kg8");
    for (const char* const name : {"ply", "ply50", "ply75", "played_on", "claimant", "ended"}) {
        CHECK(rows[1][name].is_null());
    }
    CHECK(rows[1]["longest"] == 99);
    CHECK(rows[1]["fen"] == "7k/8/8/8/8/8/P3R3/1K6 b - - 99 60");
    CHECK(repeats({"--rule50"}, database).size() == 1);
    CHECK(repeats({"--rule75", "--claims"}, database).empty());
    CHECK(games_of(repeats({"--rule50", "--missed"}, database)) == std::vector<int>{1});
}

TEST_CASE("repeats --perpetual finds who gave check with every move") {
    const TemporaryFile database("a.db");
    const std::string start = "[FEN \"6k1/6p1/7p/4Q3/8/8/q7/2K5 w - - 3 40\"]\n\n";
    REQUIRE(
        run({"import", database,
             database.write_beside("a.pgn", start +
                                                "1. Qe8+ Kh7 2. Qe4+ Kg8 3. Qe8+ Kh7 4. Qe4+ Kg8 "
                                                "5. Qe8+ Kh7 1/2-1/2\n\n" +
                                                start +
                                                "1. Kd1 Kf8 2. Kc1 Kg8 3. Kd1 Kf8 4. Kc1 "
                                                "Kg8 1/2-1/2\n")})
            .status == 0);
    CHECK(repeats({}, database).size() == 3);
    const auto rows = repeats({"--perpetual"}, database);
    REQUIRE(games_of(rows) == std::vector<int>{1, 1});
    CHECK(rows[0]["checks"] == "white");
    CHECK(rows[0]["plies"] == Json({1, 5, 9}));
    CHECK(rows[1]["plies"] == Json({2, 6, 10}));
    CHECK(repeats({"--perpetual", "--min", "2"}, database).size() == 4);
    CHECK(repeats({"--perpetual", "--claims"}, database).size() == 3);
    const auto table = lines_of(run({"repeats", database, "--perpetual"}).out);
    CHECK_THAT(table.at(0), EndsWith("claimant  checks"));
    CHECK_THAT(table.at(1), EndsWith("black     white"));
    check_refused({"--perpetual", "--rule50"}, "--rule50 and --perpetual cannot be combined");
    check_refused({"--perpetual", "--summary"}, "--summary and --perpetual cannot be combined");
}

TEST_CASE("repeats takes --fen, --game, --fivefold and filters") {
    CHECK(games_of(repeats({"--fen", kStart}, knights_database())) == std::vector<int>{1, 2, 3, 4});
    CHECK(games_of(repeats({"--fen", kStart, "--game", "3"}, knights_database())) ==
          std::vector<int>{3});
    CHECK(repeats({"--fen", "8/8/8/8/8/8/8/K1k5_w_-_-"}, knights_database()).empty());
    CHECK(repeats({"--fivefold"}, knights_database()).empty());
    CHECK(games_of(repeats({"--result", "0-1", "--limit", "1", "--offset", "1"},
                           knights_database())) == std::vector<int>{4});
    CHECK(games_of(repeats({"--sort", "plies"}, knights_database())) ==
          std::vector<int>{1, 2, 3, 4});
    for (const Json& row : repeats({"--fivefold"})) {
        CHECK(row["count"] >= 5);
        CHECK(row["fifth_ply"] == row["plies"][4]);
    }
    CHECK(repeats({"--fivefold", "--min", "2"}) == repeats({"--min", "5"}));
}

TEST_CASE("repeats --sort gives the same rows in another order") {
    auto rows = repeats({"--min", "2"});
    auto sorted = repeats({"--min", "2", "--sort", "date"});
    REQUIRE(rows.size() > 50);
    CHECK(std::is_sorted(sorted.begin(), sorted.end(), [](const Json& a, const Json& b) {
              const auto date = [](const Json& row) {
                  return row["date"].is_null() ? "" : row["date"].get<std::string>().substr(0, 4);
              };
              return date(a) > date(b);
          }) == true);
    CHECK(rows != sorted);
    for (auto* each : {&rows, &sorted}) std::sort(each->begin(), each->end());
    CHECK(rows == sorted);
}

TEST_CASE("repeats --rule50 and --rule75 find runs of the halfmove clock") {
    const TemporaryDirectory directory;
    std::string pgn = "[FEN \"7k/8/8/8/8/8/P3R3/K7 w - - 60 1\"]\n\n";
    const char* const words[] = {"Kb1 ", "Kg8 ", "Ka1 ", "Kh8 "};
    for (int i = 0; i < 91; ++i) pgn += words[i % 4];
    const std::string database = directory / "a.db";
    REQUIRE(run({"import", database, directory.write("a.pgn", pgn + "0-1\n")}).status == 0);
    const auto fifty = repeats({"--rule50", "--claims", "--missed"}, database);
    REQUIRE(fifty.size() == 1);
    CHECK(fifty[0]["ply"] == 40);
    CHECK(fifty[0]["ply50"] == 40);
    CHECK(fifty[0]["ply75"] == 90);
    CHECK(fifty[0]["longest"] == 151);
    CHECK(fifty[0]["played_on"] == 51);
    CHECK(fifty[0]["claimant"] == "white");
    CHECK(fifty[0]["announcer"] == "black");
    CHECK(fifty[0]["announced_ply"] == 39);
    CHECK(fifty[0]["fen"] == "7k/8/8/8/8/8/P3R3/K7 w - - 100 21");
    const auto seventy_five = repeats({"--rule75"}, database);
    REQUIRE(seventy_five.size() == 1);
    CHECK(seventy_five[0]["ply"] == 90);
    CHECK(seventy_five[0]["played_on"] == 1);
    CHECK(seventy_five[0]["fen"].get<std::string>().ends_with(" 150 46"));
    CHECK(repeats({"--rule75", "--result", "1-0"}, database).empty());
}

TEST_CASE("repeats prints tables and CSV") {
    const auto table = lines_of(run({"repeats", knights_database(), "--limit", "3"}).out);
    REQUIRE(table.size() == 5);
    CHECK_THAT(table[0], StartsWith("game_id  count  plies  third_ply  fifth_ply  played_on"));
    CHECK_THAT(table[1], StartsWith("      1      3  0 4 8          8"));
    CHECK(table[4] == "... and 1 more position (--limit N, --offset N)");
    const std::string csv = run({"repeats", knights_database(), "--format", "csv"}).out;
    CHECK_THAT(csv, StartsWith("game_id,key,fen,count,plies,third_ply,fifth_ply,played_on,result,"
                               "white,black,date,event,site,round,white_elo,black_elo,eco,"
                               "claimant,ended,checks\r\n"));
}

TEST_CASE("repeats --summary counts games, repetitions and claims") {
    const auto rows = repeats({"--summary"}, knights_database());
    REQUIRE(rows.size() == 1);
    const Json& summary = rows[0];
    CHECK(summary["games"] == 4);
    CHECK(summary["twofold"] == 4);
    CHECK(summary["threefold"] == 4);
    CHECK(summary["fivefold"] == 0);
    CHECK(summary["draws"] == 1);
    CHECK(summary["draws_by_repetition"] == 1);
    CHECK(summary["share_of_draws"] == 1.0);
    REQUIRE(summary["positions"].size() == 1);
    CHECK(summary["positions"][0]["games"] == 4);
    CHECK(summary["positions"][0]["key"] == "463b96181691fc9c");
    CHECK(summary["shuffles"].size() == 4);
    CHECK(summary["shuffles"][0]["length"] == 8);
    CHECK(summary["shuffles"][0]["game_id"] == 1);
    CHECK(repeats({"--summary", "--result", "1-0"}, knights_database())[0]["games"] == 1);

    const std::string table = run({"repeats", samples_database(), "--summary"}).out;
    CHECK_THAT(table, Contains("a position came three times") && Contains("Longest shuffles"));
}

TEST_CASE("repeats of several positions come in the order of their file") {
    const TemporaryDirectory directory;
    const std::string start = kStart.substr(0, kStart.size() - 4);
    const std::string epd = directory.write(
        "asked.epd", start + " id \"start\";\n8/8 w - -\n8/8/8/8/8/8/8/K1k5 w - - c0 \"no\";\n");
    for (const Words& words : {Words{epd}, Words{"--fens", epd}}) {
        Words all{"repeats", knights_database(), "--format", "json"};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome json = run(all);
        CHECK(json.status == 2);
        CHECK_THAT(json.err, Contains(epd + ":2: placement"));
        auto rows = json_lines(json.out);
        REQUIRE(rows.size() == 5);
        CHECK(rows[4].dump() == R"({"query":3,"c0":"no","games":0})");
        rows.pop_back();
        for (Json& row : rows) {
            CHECK(members(row)[0] == "query");
            CHECK(row["query"] == 1);
            CHECK(row["id"] == "start");
            row.erase("query");
            row.erase("id");
        }
        CHECK(rows == repeats({"--fen", kStart}, knights_database()));
    }
    CHECK_THAT(run({"repeats", knights_database(), epd, "--format", "csv"}).out,
               StartsWith("query,id,bm,am,c0,game_id,") && Contains("\r\n1,start,,,,4,") &&
                   Contains("\r\n3,,,,no,,,,"));
    CHECK_THAT(run({"repeats", knights_database(), epd, "--limit", "1"}).out,
               StartsWith("query 1: id start\nquery  game_id") && Contains("... and 3 more") &&
                   Contains("\n\nquery 3: c0 no\n"));
    CHECK(repeats({"--fens", directory.write("one.fen", kStart)}, knights_database()) ==
          repeats({"--fen", kStart}, knights_database()));
    check_refused({epd, "--rule50"}, "cannot be combined");
    check_refused({epd, "--summary"}, "cannot be combined");
}

TEST_CASE("repeats refuses options that make no sense") {
    check_refused({"--min", "1"}, "2 or more");
    check_refused({"--min", "three"}, "takes a number");
    check_refused({"--game", "100000"}, "there is no game 100000");
    check_refused({"--fen", "nonsense"}, "'nonsense': placement");
    check_refused({"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}, "side: missing");
    check_refused({"--rule50", kStart}, "cannot be combined");
    check_refused({"--rule50", "--rule75"}, "cannot be combined");
    check_refused({"--rule50", "--fen", kStart}, "cannot be combined");
    check_refused({"--summary", "--missed"}, "cannot be combined");
    check_refused({"--summary", "--format", "csv"}, "choose table, json");
    check_refused({"--mised"}, "--missed");
    check_refused({"--format", "pgn"}, "csv");
}
