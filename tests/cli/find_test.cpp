#include <set>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

const Words kFindMembers{"game_id",   "ply",       "plies", "white", "black",
                         "result",    "date",      "event", "site",  "round",
                         "white_elo", "black_elo", "eco",   "san",   "uci"};

/// Runs `find` on the samples.
Outcome find(const Words& words, const std::string& input = "") {
    Words all{"find", samples_database()};
    all.insert(all.end(), words.begin(), words.end());
    return run(all, input);
}

std::vector<Json> find_json(Words words, const std::string& input = "") {
    words.insert(words.end(), {"--format", "json"});
    const Outcome outcome = find(words, input);
    CHECK(outcome.err.empty());
    return json_lines(outcome.out);
}

std::vector<int> game_ids(const std::vector<Json>& answers) {
    std::vector<int> ids;
    for (const Json& answer : answers) ids.push_back(answer["game_id"]);
    return ids;
}

std::size_t lines(const Outcome& outcome) { return lines_of(outcome.out).size(); }

}  // namespace

TEST_CASE("find as JSON gives a line per game, with the members of the contract") {
    const auto answers = find_json({kMate});
    REQUIRE(answers.size() == 1);
    CHECK(
        answers[0].dump() ==
        R"({"game_id":1,"ply":45,"plies":[45],"white":"Anderssen, Adolf",)"
        R"("black":"Kieseritzky, Lionel","result":"1-0","date":"1851.06.21","event":"Casual game",)"
        R"("site":"London ENG","round":"?","white_elo":null,"black_elo":null,"eco":"C33",)"
        R"("san":null,"uci":null})");
    CHECK(find({kMate, "--format", "json"}).status == 0);

    const auto starts = find_json({kStart});
    REQUIRE(starts.size() == 106);
    for (const Json& answer : starts) {
        CHECK(members(answer) == kFindMembers);
        CHECK(answer["ply"] == answer["plies"][0]);
    }
    CHECK(std::is_sorted(starts.begin(), starts.end(),
                         [](const Json& a, const Json& b) { return a["game_id"] < b["game_id"]; }));
    CHECK(starts[0]["san"] == "e4");
    CHECK(starts[0]["uci"] == "e2e4");

    // Reached three times: the first time counts, the others are listed.
    const auto repeated = find_json({"--fens", kSamples + "/positions.fen"});
    std::vector<Json> huebner;
    for (const Json& answer : repeated) {
        if (answer["query"] == 11) huebner.push_back(answer);
    }
    REQUIRE(huebner.size() == 1);
    CHECK(huebner[0]["white"] == "Huebner, Robert");
    CHECK(huebner[0]["ply"] == 19);
    CHECK(huebner[0]["plies"] == Json({19, 23, 27}));
}

TEST_CASE("find: castling is written for the game's variant") {
    const auto standard = find_json({"--moves", "1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6", "--limit", "100"});
    std::set<std::string> castled;
    for (const Json& answer : standard) {
        if (answer["san"] == "O-O") castled.insert(answer["uci"]);
    }
    CHECK(castled == std::set<std::string>{"e1g1"});
    const Outcome games = run({"games", samples_database(), "--format", "json"});
    std::size_t chess960 = 0;
    for (const Json& row : sqlite3_rows(samples_database(),
                                        "SELECT p.uci, p.san, g.variant FROM ply p JOIN game g ON"
                                        " g.id = p.game_id WHERE p.san LIKE 'O-O%'")) {
        const std::string uci = row["uci"];
        if (row["variant"] == 1) {
            ++chess960;
            continue;
        }
        const bool is_short = row["san"].get<std::string>().find("O-O-O") != 0;
        CHECK((uci == (is_short ? "e1g1" : "e1c1") || uci == (is_short ? "e8g8" : "e8c8")));
    }
    CHECK(chess960 > 3);
}

TEST_CASE("find --count gives games and occurrences") {
    const auto count = [](Words words) {
        words.push_back("--count");
        return find_json(std::move(words));
    };
    CHECK(count({kMate})[0].dump() == R"({"games":1,"occurrences":1})");
    CHECK(count({kStart})[0].dump() == R"({"games":106,"occurrences":106})");
    CHECK(count({kStart, "--verify"})[0].dump() == R"({"games":106,"occurrences":106})");
    const auto several = count({kMate, kStart});
    REQUIRE(several.size() == 2);
    CHECK(several[1].dump() == R"({"query":2,"games":106,"occurrences":106})");

    const std::string nowhere = "8/8/8/8/8/k7/8/K6R w - - 0 1";
    const Outcome absent = find({nowhere, "--count", "--format", "json"});
    CHECK(absent.status == 1);
    CHECK(absent.out == "{\"games\":0,\"occurrences\":0}\n");
    CHECK(absent.err.empty());
    CHECK(find({kMate, "--count"}).out == "games  occurrences\n    1            1\n");
    CHECK(find({kMate, "--count", "--format", "csv"}).out == "games,occurrences\r\n1,1\r\n");
    check_refused(find({kMate, "--count", "--format", "pgn"}), {"pgn"});
}

TEST_CASE("find with several positions: every line names its position") {
    const std::string nowhere = "8/8/8/8/8/k7/8/K6R w - - 0 1";
    const Outcome outcome = find({kMate, nowhere, kStart, "--limit", "2", "--format", "json"});
    CHECK(outcome.status == 0);
    const auto answers = json_lines(outcome.out);
    REQUIRE(answers.size() == 4);
    Words with_query{"query"};
    with_query.insert(with_query.end(), kFindMembers.begin(), kFindMembers.end());
    CHECK(members(answers[0]) == with_query);
    CHECK(answers[0]["query"] == 1);
    CHECK(answers[1].dump() == R"({"query":2,"games":0})");
    CHECK(answers[2]["query"] == 3);
    CHECK(answers[3]["query"] == 3);
    CHECK(answers[3]["game_id"] == 2);

    // If no question finds anything, the status is 1.
    const Outcome absent = find({nowhere, nowhere, "--format", "json"});
    CHECK(absent.status == 1);
    CHECK(absent.out == "{\"query\":1,\"games\":0}\n{\"query\":2,\"games\":0}\n");
    // One question without games has no line.
    const Outcome alone = find({nowhere, "--format", "json"});
    CHECK(alone.status == 1);
    CHECK(alone.out.empty());
}

TEST_CASE("find reads a FEN in every spelling that people paste") {
    const std::string e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq ";
    const auto expected = game_ids(find_json({"--moves", "1.e4"}));
    CHECK(expected.size() == 56);
    for (const Words& words :
         {Words{e4 + "- 0 1"}, Words{e4 + "e3 0 1"}, Words{e4 + "-"}, Words{e4 + "e3 99 77"},
          Words{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_e3_0_1"},
          Words{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR%20b%20KQkq%20-%200%201"},
          Words{"rnbqkbnr%2Fpppppppp%2F8%2F8%2F4P3%2F8%2FPPPP1PPP%2FRNBQKBNR+b+KQkq+-"},
          Words{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha -"},
          Words{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "b", "KQkq", "-", "0", "1"},
          Words{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "b", "KQkq", "e3"},
          Words{"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", "KQkq", "-"}}) {
        CAPTURE(words);
        CHECK(game_ids(find_json(words)) == expected);
    }
    // Two of them, no quotes, options in between.
    const auto two =
        find_json({"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "b", "KQkq", "-", "--count",
                   "r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1", "b", "-", "-", "1", "23"});
    REQUIRE(two.size() == 2);
    CHECK(two[0]["games"] == 56);
    CHECK(two[1]["games"] == 1);
}

TEST_CASE("find: a FEN that is not a position is refused with the field and the reason") {
    const std::string two_kings = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w kq - 0 1";
    check_refused(find({two_kings}), {two_kings, "placement", "white has 2 kings"});
    check_refused(find({two_kings, "--format", "json"}), {"2 kings"});
    check_refused(find({"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1"}),
                  {"en passant"});
    check_refused(find({"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1"}), {"side"});
    check_refused(find({"e9"}), {"placement"});
    check_refused(find({"e4"}), {"these are moves: give them with --moves"});
    check_refused(find({""}), {"empty"});
    // Valid questions are still answered.
    const Outcome mixed = find({two_kings, kMate, "--format", "json"});
    CHECK(mixed.status == 2);
    CHECK_THAT(mixed.err, Contains("2 kings"));
    const auto answers = json_lines(mixed.out);
    REQUIRE(answers.size() == 1);
    CHECK(answers[0]["query"] == 2);
    CHECK(answers[0]["game_id"] == 1);
}

TEST_CASE("find --moves and --key find the same as the FEN") {
    const auto sicilian = game_ids(find_json({"--moves", "1.e4 c5"}));
    CHECK(sicilian.size() > 5);
    for (const char* const moves :
         {"e4 c5", "1. e4 c5", "1.e4 c5 *", "e2e4 c7c5", "1.e4! {best} c5"}) {
        CHECK(game_ids(find_json({"--moves", moves})) == sicilian);
    }
    CHECK(find_json({"--moves", ""}).size() == 106);
    const auto both = find_json({"--moves", "1.e4", "--moves", "1.d4", "--count"});
    REQUIRE(both.size() == 2);
    CHECK(both[0]["games"] == 56);
    CHECK(both[1]["query"] == 2);
    check_refused(find({"--moves", "1.e4 e5 2.Ke3"}), {"--moves", "after ply 2", "illegal", "Ke3"});
    check_refused(find({"--moves", "hello"}), {"--moves", "hello"});

    CHECK(game_ids(find_json({"--key", "823c9b50fd114196"})).size() == 56);
    CHECK(game_ids(find_json({"--key", "823C9B50FD114196"})).size() == 56);
    CHECK(game_ids(find_json({"--key", "0x823c9b50fd114196"})).size() == 56);
    CHECK(find({"--key", "0000000000000000"}).status == 1);
    for (const char* const wrong :
         {"", "823c", "823c9b50fd11419g", "823c9b50fd1141960", "-23c9b50fd114196"}) {
        CAPTURE(wrong);
        check_refused(find({std::string("--key=") + wrong}), {"--key"});
    }
}

TEST_CASE("Moves that are typed are read whole or refused") {
    const auto refused = [](const std::string& moves, const Words& why) {
        INFO(moves);
        check_refused(find({"--moves", moves}), why);
        check_refused(run({"tree", samples_database(), "--moves", moves}), why);
        check_refused(run({"export", samples_database(), "--moves", moves}), why);
    };
    refused("e4;e5;Nf3", {"--moves: ';' begins a comment", "blanks"});
    refused("e4 e5 ; Nf3", {"';' begins a comment"});
    refused("e4 e5 1-0 Nf3", {"'Nf3' comes after the result"});
    refused("e4 e5 (c5) Nf3", {"variations"});
    refused("e4 e5 (c5 Nf3", {"--moves: "});
    refused("e4+e5", {"--moves: 'e4+e5' is more than a move"});
    refused("e4! e5?!Nf3", {"'e5?!Nf3' is more than a move"});
    refused("e4 e5 N f3", {"'N' alone is not a move"});
    refused("e4 {best e5", {"comment without an end"});
    refused("e4 } e5", {"'}'"});
    refused("e4 [e5] Nf3", {"'['"});
    refused("[White \"x\"] e4", {"tag pair 'White'"});
    refused("e4\n% e5\nNf3", {"'%'"});
    refused("e4 <e5> Nf3", {"'<'"});
    refused("e4,e5,Nf3", {"e4,e5,Nf3"});
    CHECK(find_json({"--moves", "1. e4! {best; by [test]} 1... e5 $2 2. Nf3 *", "--count"}) ==
          find_json({"--moves", "e4 e5 Nf3", "--count"}));
}

TEST_CASE("Moves with a FEN (--moves) start from that position in find, tree and export") {
    const std::string& db = samples_database();
    const std::string e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    const std::string sicilian = find({"--moves", "1.e4 c5", "--format", "json"}).out;
    CHECK(!sicilian.empty());
    CHECK((find({e4, "--moves", "c5", "--format", "json"}).out == sicilian));
    CHECK((run({"export", db, "--fen", e4, "--moves", "c5"}).out ==
           find({"--moves", "1.e4 c5", "--format", "pgn"}).out));
    CHECK(
        (run({"tree", db, e4, "--moves", "c5"}).out == run({"tree", db, "--moves", "e4 c5"}).out));
    CHECK((run({"tree", db, e4, "--play", "c5"}).out == run({"tree", db, "--moves", "e4 c5"}).out));
    check_refused(run({"tree", db, "--play", "e4", "--moves", "e4"}), {"--play", "--moves"});

    // Each FEN with each line of moves; lines that cannot be played are reported, the others
    // answered.
    const Outcome each =
        find({e4, kStart, "--moves", "c5", "--moves", "e5", "--count", "--format", "json"});
    CHECK(each.status == 2);
    CHECK_THAT(each.err, Contains("'" + kStart + "': --moves") && Contains("'c5'"));
    const auto counts = json_lines(each.out);
    REQUIRE(counts.size() == 2);
    CHECK(counts[0]["query"] == 1);
    CHECK(counts[1]["query"] == 2);
    CHECK(counts[0]["games"] == json_lines(sicilian).size());
}

TEST_CASE("find --fens reads a file or stdin, a record on each line") {
    const TemporaryDirectory directory;
    const std::string records = "\xEF\xBB\xBF# two positions\r\n\r\n" + kMate +
                                "\r\n   \t\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "
                                "bm e4; id \"the start\";";
    const std::string file = directory.write("some.epd", records);
    for (const bool from_stdin : {false, true}) {
        const auto counts = from_stdin ? find_json({"--fens", "-", "--count"}, records)
                                       : find_json({"--fens", file, "--count"});
        REQUIRE(counts.size() == 2);
        CHECK(counts[0]["games"] == 1);
        CHECK(counts[1]["games"] == 106);
    }
    // Records of a file come after those of the command line.
    const auto three = find_json({"--key", "823c9b50fd114196", kMate, "--fens", file, "--count"});
    REQUIRE(three.size() == 4);
    CHECK(three[0]["games"] == 1);
    CHECK(three[2]["games"] == 106);
    CHECK(three[3]["games"] == 56);

    check_refused(find({"--fens", directory / "no.fen"}), {"no.fen"});
    check_refused(find({"--fens", directory.path()}), {directory.path()});
    check_refused(find({"--fens", directory.write("empty.fen", "# nothing\n\n")}),
                  {"none in the file"});
    check_refused(find({}), {"Give a FEN"});
    const std::string bad = directory.write("bad.fen", kMate + "\n8/8 w - -\n" + kStart + "\n");
    const Outcome mixed = find({"--fens", bad, "--count", "--format", "json"});
    CHECK(mixed.status == 2);
    CHECK_THAT(mixed.err, Contains(bad + ":2: placement"));
    CHECK(json_lines(mixed.out).size() == 2);
    CHECK(json_lines(mixed.out)[1]["query"] == 3);
}

TEST_CASE("find: files named .fen or .epd give positions, in the order of the arguments") {
    const TemporaryDirectory directory;
    const std::string epd = directory.write("two.epd", kMate + "\n" + kStart + "\n");
    const std::string fen = directory.write("one.fen", kStart + "\n");
    const auto counts = find_json({fen, kMate, epd, kMate, "--fens", "-", "--count"}, kStart);
    std::vector<int> games;
    for (const Json& each : counts) games.push_back(each["games"]);
    CHECK(games == std::vector<int>{106, 1, 1, 106, 1, 106});
    check_refused(find({directory / "no.epd"}), {"no.epd"});
    const std::string upper = directory.write("ONE.EPD", kMate);
    CHECK(find_json({upper, directory.write("a.Fen", kMate), "--count"}).size() == 2);
    // A line is read no further than a record can be long.
    const std::string endless(200'000, 'x');
    const auto two =
        find_json({"--fens", "-", "--count"}, kMate + " c0 \"" + endless + "\";\n" + kStart);
    REQUIRE(two.size() == 2);
    CHECK(two[0]["c0"].get<std::string>().size() < 70'000);
    CHECK(two[1]["games"] == 106);
    // Words after a file do not belong to it.
    CHECK_THAT(find({epd, "w", "KQkq"}).err, Contains("'w KQkq': placement"));
}

TEST_CASE("find: EPD operations of a position are in its answer") {
    const TemporaryDirectory directory;
    const std::string mate = kMate.substr(0, kMate.size() - 5);  // the four fields
    const std::string absent = "8/8/8/8/8/8/8/K1k5 w - -";
    const std::string epd = directory.write(
        "asked.epd", mate + " bm Be7+ Nf7; id \"Immortal; the end\"; acd 3;\n" + absent +
                         " id \"nobody\"; am Ka2;\n8/8 w - - id \"bad\";\n" + mate + "\n");
    const Outcome json = find({epd, "--format", "json"});
    CHECK(json.status == 2);
    CHECK_THAT(json.err, Contains(epd + ":3: placement"));
    const auto answers = json_lines(json.out);
    REQUIRE(answers.size() == 3);
    Words all{"query", "id", "bm"};
    all.insert(all.end(), kFindMembers.begin(), kFindMembers.end());
    CHECK(members(answers[0]) == all);
    CHECK(answers[0]["id"] == "Immortal; the end");
    CHECK(answers[0]["bm"] == "Be7+ Nf7");
    CHECK(answers[1].dump() == R"({"query":2,"id":"nobody","am":"Ka2","games":0})");
    all.erase(all.begin() + 1, all.begin() + 3);
    CHECK(members(answers[2]) == all);
    CHECK(answers[2]["query"] == 4);

    const auto counts = json_lines(find({epd, "--format", "json", "--count"}).out);
    CHECK(counts[1].dump() == R"({"query":2,"id":"nobody","am":"Ka2","games":0,"occurrences":0})");

    const std::string csv = find({epd, "--format", "csv"}).out;
    CHECK_THAT(csv, StartsWith("query,id,bm,am,c0,game_id,"));
    CHECK_THAT(csv,
               Contains("\r\n1,Immortal; the end,Be7+ Nf7,,,1,45,") && Contains("\r\n4,,,,,1,45,"));

    // A question without games has a row, too.
    CHECK_THAT(csv, Contains("\r\n2,nobody,,Ka2,,,,,"));
    CHECK(lines_of(csv).size() == 1 + answers.size());

    const std::string table = find({epd}).out;
    CHECK_THAT(table, StartsWith("query 1: id Immortal; the end; bm Be7+ Nf7\nquery  game_id"));
    CHECK_THAT(table, Contains("\n\nquery 2: id nobody; am Ka2\n"));

    // All rows have the columns of the first, even if questions come from different places.
    const std::string records = mate + " id \"x\";\n" + mate + " bm Be7+;\n" + mate + "\n";
    const std::string counted =
        "query,id,bm,am,c0,games,occurrences\r\n1,x,,,,1,1\r\n"
        "2,,Be7+,,,1,1\r\n3,,,,,1,1\r\n";
    const auto counts_of = [&](Words asked) {
        asked.insert(asked.end(), {"--count", "--format", "csv"});
        return find(asked, records).out;
    };
    CHECK(counts_of({mate + " id \"x\";", mate + " bm Be7+;", mate}) == counted);
    CHECK(counts_of({directory.write("asked.fen", records)}) == counted);
    CHECK(counts_of({"--fens", "-"}) == counted);

    // One question alone has no number.
    const auto one = find_json({mate + " c0 \"x\";"});
    CHECK(members(one[0])[0] == "c0");
    CHECK(members(one[0])[1] == "game_id");
    CHECK(counts_of({mate + " c0 \"x\";"}) == "c0,games,occurrences\r\nx,1,1\r\n");
}

TEST_CASE("find: positions on standard input are answered one by one, in order") {
    std::string records;
    for (int i = 0; i < 500; ++i) {
        records += (i % 3 == 0 ? kMate : kStart) + " ;id \"n" + std::to_string(i) + "\";\n";
    }
    const auto answers = find_json({"--fens", "-", "--count"}, records);
    REQUIRE(answers.size() == 500);
    for (int i = 0; i < 500; ++i) {
        const Json& answer = answers[static_cast<std::size_t>(i)];
        if (answer["query"] != i + 1 || answer["id"] != "n" + std::to_string(i) ||
            answer["games"] != (i % 3 == 0 ? 1 : 106)) {
            FAIL(answer.dump());
        }
    }
}

TEST_CASE("find --limit and --offset give a part of the rows") {
    const auto all = game_ids(find_json({kStart}));
    CHECK(game_ids(find_json({kStart, "--limit", "3"})) ==
          std::vector(all.begin(), all.begin() + 3));
    CHECK(game_ids(find_json({kStart, "--limit", "3", "--offset", "5"})) ==
          std::vector(all.begin() + 5, all.begin() + 8));
    CHECK(game_ids(find_json({kStart, "--offset", "100"})) ==
          std::vector(all.begin() + 100, all.end()));
    CHECK(game_ids(find_json({kStart, "--offset", "18446744073709551615"})).empty());
    CHECK(game_ids(find_json({kStart, "--limit", "18446744073709551615"})) == all);
    // An offset beyond the last hit is not "nothing found".
    CHECK(find({kStart, "--offset", "106", "--format", "json"}).status == 0);
    for (const Words& words : {Words{kStart}, Words{kStart, kMate}}) {
        Words none = words;
        none.insert(none.end(), {"--limit", "0", "--format", "json"});
        CHECK(find(none).status == 0);
        CHECK(find(none).out.empty());
    }
    check_refused(find({kStart, "--limit", "18446744073709551616"}), {"--limit"});

    // json, csv and pgn have all rows by default.
    CHECK(lines(find({kStart, "--format", "csv"})) == 107);
    CHECK(lines(find({kStart, "--format", "csv", "--limit", "7"})) == 8);
    const auto events = [](const Outcome& outcome) {
        std::size_t n = 0;
        for (const std::string& line : lines_of(outcome.out)) n += line.starts_with("[Event ");
        return n;
    };
    CHECK(events(find({kStart, "--format", "pgn"})) == 106);
    CHECK(events(find({kStart, "--format", "pgn", "--limit", "2"})) == 2);
}

TEST_CASE("find prints very many rows as it prints them page by page") {
    constexpr int kGames = 7000;
    constexpr int kPage = 2000;
    const TemporaryFile db("my.db");
    std::string pgn;
    for (int i = 1; i <= kGames; ++i) {
        pgn += "[White \"w" + std::to_string(i % 700) + "\"]\n[Round \"" + std::to_string(i) +
               "\"]\n\n" + (i % 3 == 0 ? "1.e4 e5" : "1.d4") + " *\n\n";
    }
    REQUIRE(run({"import", db, "-"}, pgn).status == 0);
    REQUIRE(run({"delete", db, "--player", "w77"}).status == 0);
    for (const char* const format : {"json", "csv"}) {
        CAPTURE(format);
        const Words question{"find", db, kStart, "--format", format, "--no-header"};
        std::string pages;
        for (int offset = 0; offset < kGames; offset += kPage) {
            Words page = question;
            page.insert(page.end(),
                        {"--offset", std::to_string(offset), "--limit", std::to_string(kPage)});
            pages += run(page).out;
        }
        CHECK(lines_of(pages).size() == kGames - 10);
        CHECK(run(question).out == pages);
        Words part = question;
        part.insert(part.end(), {"--offset", "3", "--limit", "6000"});
        const auto all = lines_of(pages);
        CHECK(lines_of(run(part).out) == std::vector(all.begin() + 3, all.begin() + 6003));
    }
    const auto two =
        json_lines(run({"find", db, kStart, kStart, "--format", "json", "--limit", "5000"}).out);
    REQUIRE(two.size() == 10'000);
    CHECK(two[4999]["query"] == 1);
    CHECK(two[5000]["query"] == 2);
    CHECK(two[4999]["game_id"] == two[9999]["game_id"]);
}

TEST_CASE("find as a table shows twenty games and says how many more there are") {
    const auto last = [](const Outcome& outcome) { return lines_of(outcome.out).back(); };
    const Outcome table = find({kStart});
    CHECK(table.status == 0);
    CHECK(table.err.empty());
    CHECK(lines(table) == 22);
    CHECK_THAT(lines_of(table.out).front(), StartsWith("game_id  ply  white"));
    CHECK_THAT(last(table), StartsWith("... and 86 more games"));
    CHECK_THAT(last(find({kStart, "--format", "table", "--limit", "105"})),
               StartsWith("... and 1 more game"));
    CHECK_THAT(last(find({kStart, "--offset", "30"})), StartsWith("... and 56 more games"));
    CHECK(lines(find({kStart, "--limit", "106"})) == 107);
    CHECK(lines(find({kStart, "--offset", "86"})) == 21);
    CHECK(lines(find({kMate})) == 2);
    // No table is printed if nothing is found.
    CHECK(find({"8/8/8/8/8/k7/8/K6R w - - 0 1"}).out.empty());
    // No line ends in blanks, all columns begin where their heading does.
    for (const std::string& line : lines_of(table.out)) CHECK_FALSE(line.ends_with(' '));
}

TEST_CASE("find as CSV follows RFC 4180") {
    const TemporaryFile db("my.db");
    REQUIRE(run({"import", db, "-"},
                "[Event \"One, two\"]\n[Site \"\"]\n[White \"The \\\"Rock\\\"\"]\n[Black "
                "\"\xC3\x89\"]\n"
                "[Result \"1-0\"]\n[WhiteElo \"2500\"]\n[BlackElo \"?\"]\n\n1.e4 e5 1-0\n")
                .status == 0);
    CHECK(run({"find", db, kStart, "--format", "csv"}).out ==
          "game_id,ply,plies,white,black,result,date,event,site,round,white_elo,black_elo,eco,san,"
          "uci\r\n1,0,0,\"The \"\"Rock\"\"\",\xC3\x89,1-0,,\"One, two\",,,2500,,,e4,e2e4\r\n");
    CHECK_THAT(run({"find", db, kStart, kMate, "--format", "csv"}).out,
               StartsWith("query,id,bm,am,c0,game_id,ply,") && Contains("\r\n1,,,,,1,0,0,"));
    const auto json = json_lines(run({"find", db, kStart, "--format", "json"}).out);
    CHECK(json[0]["white"] == "The \"Rock\"");
    CHECK(json[0]["site"] == "");
    CHECK(json[0]["date"].is_null());
    CHECK(json[0]["black_elo"].is_null());
}

TEST_CASE("CSV has its header even if nothing is found") {
    const std::string& db = samples_database();
    const std::string nowhere = "8/8/8/8/8/k7/8/K6R w - - 0 1";
    for (const Words& words :
         {Words{"find", db, nowhere}, Words{"tree", db, nowhere}, Words{"games", db},
          Words{"repeats", db}, Words{"sql", db, "SELECT id, white FROM games WHERE id < 0"}}) {
        CAPTURE(words.front());
        Words none = words;
        if (words.front() == "games" || words.front() == "repeats") {
            none.insert(none.end(), {"--since", "2999"});
        }
        none.insert(none.end(), {"--format", "csv"});
        const Outcome outcome = run(none);
        CHECK(outcome.status == 1);
        CHECK(lines_of(outcome.out).size() == 1);
    }
    CHECK(run({"sql", db, "SELECT id, white FROM games WHERE id < 0", "--format", "csv"}).out ==
          "id,white\r\n");
    CHECK(run({"sql", db, "CREATE TEMP TABLE t(x)", "--format", "csv"}).out.empty());
}

TEST_CASE("A closed pipe is not an error, but an output that cannot be written is one") {
    Words words{"find", samples_database(), "--format", "json"};
    for (int i = 0; i < 20; ++i) words.push_back(kStart);
    ProcessOptions options;
    options.output = ProcessOptions::Output::kFirstLine;  // as `| head -1`
    const Outcome head = run(words, options);
    CHECK(head.status == 0);
    CHECK(head.err.empty());
    CHECK(json_lines(head.out).size() == 1);
    for (const Words& each : {words, Words{"find", samples_database(), kStart},
                              Words{"games", samples_database(), "--format", "pgn"},
                              Words{"show", samples_database(), "1"},
                              Words{"info", samples_database()}, Words{"fen", kStart}}) {
        CAPTURE(each.front());
        options.output = ProcessOptions::Output::kNobody;
        const Outcome nobody = run(each, options);
        CHECK(nobody.status == 0);
        CHECK(nobody.err.empty());
        options.output = ProcessOptions::Output::kFull;
        check_refused(run(each, options), {"standard output", "No space left"});
    }
}
