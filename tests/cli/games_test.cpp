#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

std::vector<Json> show_plies(const std::string& database, unsigned game) {
    const Outcome outcome =
        run({"show", database, std::to_string(game), "--plies", "--format", "json"});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    return json_lines(outcome.out);
}

std::string info(const std::string& database) {
    return run({"info", database, "--format", "json"}).out;
}

/// Terminals would obey this text; only JSON and PGN may show it.
constexpr char kEvil[] =
    "[Event \"Clear \x1b[2J screen\"]\n[Site \"bell\x07\"]\n[White \"back\x08space\"]\n"
    "[Black \"C1 \xC2\x9B"
    "31m\"]\n[Result \"*\"]\n[ECO \"A\tB\"]\n\n1.e4 *\n";

bool has_controls(const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == 0x7F || (c < 0x20 && c != '\n' && c != '\r')) return true;
        if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
            return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("show --plies as JSON gives the start, then every ply") {
    const std::string lines =
        run({"show", samples_database(), "1", "--plies", "--format", "json"}).out;
    CHECK_THAT(
        lines,
        StartsWith(
            R"({"ply":0,"san":null,"uci":null,"key":"463b96181691fc9c",)"
            R"("fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",)"
            R"("epd":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","occurrence":1,)"
            R"("eval":null,"mate":null,"depth":null})"
            "\n"
            R"({"ply":1,"san":"e4","uci":"e2e4","key":"823c9b50fd114196",)"
            R"("fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",)"
            R"("epd":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","occurrence":1,)"
            R"("eval":null,"mate":null,"depth":null})"
            "\n"));
    const auto plies = show_plies(samples_database(), 1);
    REQUIRE(plies.size() == 46);
    for (std::size_t i = 0; i < plies.size(); ++i) {
        CHECK(plies[i]["ply"] == i);
        CHECK(members(plies[i]) == Words{"ply", "san", "uci", "key", "fen", "epd", "occurrence",
                                         "eval", "mate", "depth"});
    }
    CHECK(plies[45]["san"] == "Be7#");
    CHECK(plies[45]["fen"] == kMate);
    CHECK(run({"show", samples_database(), "1", "--plies", "--format", "csv"}).out.substr(0, 54) ==
          "ply,san,uci,key,fen,epd,occurrence,eval,mate,depth\r\n0,");
    CHECK(lines_of(run({"show", samples_database(), "1", "--plies"}).out).size() == 47);
}

TEST_CASE("show: castling in UCI is the king's two steps, in Chess960 games king takes rook") {
    const TemporaryFile db("my.db");
    REQUIRE(
        run({"import", db, "-"},
            "[White \"a\"]\n\n1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.O-O O-O *\n\n"
            "[White \"b\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n"
            "[FEN \"bbqnrkrn/pppppppp/8/8/8/8/PPPPPPPP/BBQNRKRN w KQkq - 0 1\"]\n\n"
            "1.O-O f6 2.a3 O-O *\n\n"
            "[White \"c\"]\n[Variant \"Chess960\"]\n\n1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.O-O O-O *\n")
            .status == 0);
    CHECK(show_plies(db, 1)[7]["uci"] == "e1g1");
    CHECK(show_plies(db, 1)[8]["uci"] == "e8g8");
    CHECK(show_plies(db, 2)[1]["uci"] == "f1g1");
    CHECK(show_plies(db, 2)[4]["uci"] == "f8g8");
    CHECK(show_plies(db, 2)[4]["san"] == "O-O");
    CHECK(show_plies(db, 3)[7]["uci"] == "e1h1");
    // Chess960 from position 518 is chess: the same positions.
    CHECK(show_plies(db, 3)[8]["key"] == show_plies(db, 1)[8]["key"]);
    const auto found = json_lines(
        run({"find", db, "--moves", "1.e4 e5 2.Nf3 Nf6 3.Be2 Be7", "--format", "json"}).out);
    REQUIRE(found.size() == 2);
    CHECK(found[0]["uci"] == "e1g1");
    CHECK(found[1]["uci"] == "e1h1");
}

TEST_CASE("show writes PGN, boards and several games, and reports missing games") {
    const std::string& db = samples_database();
    const Outcome pgn = run({"show", db, "1"});
    CHECK(pgn.status == 0);
    CHECK_THAT(pgn.out, StartsWith("[Event \"Casual game\"]\n[Site \"London ENG\"]\n") &&
                            Contains("\n\n1. e4 e5 2. f4 exf4 ") && Contains(" 23. Be7# 1-0\n\n"));
    CHECK(run({"show", db, "1", "2"}).out == pgn.out + run({"show", db, "2"}).out);
    CHECK(run({"show", db, "1", "--format", "pgn"}).out == pgn.out);

    CHECK(run({"show", db, "1-2"}).out == run({"show", db, "1", "2"}).out);
    CHECK(run({"show", db, "1,3-4", "2"}).out == run({"show", db, "1", "3", "4", "2"}).out);
    CHECK(run({"show", db, "112-999"}).out == run({"show", db, "112", "113"}).out);

    const Outcome board = run({"show", db, "1", "--board"});
    CHECK(board.status == 0);
    CHECK_THAT(board.out, Contains("ply 45: Be7#") && Contains(kMate));
    CHECK_THAT(run({"show", db, "1", "--board", "--ply", "0"}).out, Contains(kStart));
    CHECK_THAT(run({"show", db, "1", "--board", "--ply", "1"}).out, Contains("ply 1: e4"));
    check_refused(run({"show", db, "1", "--board", "--ply", "46"}), {"45 plies", "no ply 46"});

    check_refused(run({"show", db, "0"}), {"no game 0"});
    check_refused(run({"show", db, "114"}), {"no game 114"});
    check_refused(run({"show", db, "114-120"}), {"no games 114-120"});
    check_refused(run({"show", db, "3-1"}), {"3-1"});
    check_refused(run({"show", db, "1", "--ply", "3"}), {"--board"});
    check_refused(run({"show", db, "18446744073709551615"}), {"no game"});
    const Outcome half = run({"show", db, "1", "114"});
    CHECK(half.status == 2);
    CHECK(half.out == pgn.out);
}

TEST_CASE("games lists games in the order of the input") {
    const std::string& db = samples_database();
    const auto games = json_lines(run({"games", db, "--format", "json"}).out);
    REQUIRE(games.size() == 113);
    for (std::size_t i = 0; i < games.size(); ++i) CHECK(games[i]["game_id"] == i + 1);
    CHECK(members(games[0]) == Words{"game_id", "white", "black", "result", "date", "event", "site",
                                     "round", "white_elo", "black_elo", "eco", "plies"});
    const auto some =
        json_lines(run({"games", db, "--format", "json", "--offset", "5", "--limit", "2"}).out);
    REQUIRE(some.size() == 2);
    CHECK(some[0] == games[5]);
    CHECK(lines_of(run({"games", db}).out).size() == 22);
    CHECK_THAT(lines_of(run({"games", db}).out).back(), StartsWith("... and 93 more games"));
    CHECK(lines_of(run({"games", db, "--offset", "100"}).out).size() == 14);
    CHECK(lines_of(run({"games", db, "--format", "csv"}).out).size() == 114);
    CHECK(run({"games", db, "--offset", "113"}).status == 1);
    CHECK(run({"games", db, "--offset", "18446744073709551615", "--format", "json"}).out.empty());
}

TEST_CASE("games as PGN, imported again, are the same games") {
    const TemporaryDirectory directory;
    const std::string& db = samples_database();
    const Outcome pgn = run({"games", db, "--format", "pgn"});
    const std::string again = directory / "again.db";
    const Outcome import = run({"import", again, "-"}, pgn.out);
    INFO(import.err);
    CHECK(import.status == 0);
    CHECK_THAT(import.err, Contains("113 games, 8,908 plies, 0 errors"));
    CHECK(Json::parse(info(again))["fingerprint"] == Json::parse(info(db))["fingerprint"]);
    CHECK((run({"games", again, "--format", "pgn"}).out == pgn.out));
    CHECK(run({"games", again, "--format", "json"}).out ==
          run({"games", db, "--format", "json"}).out);
    for (const std::string& line : lines_of(pgn.out)) {
        CHECK((line.starts_with("[") || line.size() <= 79));
    }
}

TEST_CASE("info as JSON has the members of the contract, in its order") {
    const Outcome outcome = run({"info", samples_database(), "--format", "json"});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    REQUIRE(lines_of(outcome.out).size() == 1);
    const Json object = json_lines(outcome.out).front();
    const Words promised{"games", "plies",         "positions",   "sources", "errors",
                         "bytes", "bytes_per_ply", "fingerprint", "ply_rows"};
    Words found;
    for (const std::string& name : members(object)) {
        if (std::find(promised.begin(), promised.end(), name) != promised.end())
            found.push_back(name);
    }
    CHECK(found == promised);
    CHECK(object["games"] == 113);
    CHECK(object["plies"] == 8908);
    CHECK(object["positions"] == 8908 + 113);
    CHECK(object["sources"] == 7);
    CHECK(object["errors"] == 0);
    CHECK(object["ply_rows"] == "yes");
    CHECK(object["fingerprint"].get<std::string>().size() == 16);
    CHECK(object["bytes"] == read_file(samples_database()).size());
    CHECK(object["bytes_per_ply"].get<double>() ==
          Approx(object["bytes"].get<double>() / 8908).epsilon(0.001));
    CHECK_THAT(run({"info", samples_database()}).out, Contains("8,908  moves played"));
    const Words csv = lines_of(run({"info", samples_database(), "--format", "csv"}).out);
    REQUIRE(csv.size() == 2);
    CHECK_THAT(csv[0], StartsWith("games,plies,positions,"));
    CHECK_THAT(csv[1], StartsWith("113,8908,9021,"));
}

TEST_CASE("Control characters in tags and paths are shown escaped") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, "-"}, kEvil).status == 0);
    for (const Words& words :
         {Words{"find", db, kStart}, Words{"find", db, kStart, "--format", "csv"},
          Words{"find", db, kStart, "--format", "json"}, Words{"games", db},
          Words{"games", db, "--format", "csv"}, Words{"games", db, "--format", "json"}}) {
        CAPTURE(words);
        const Outcome outcome = run(words);
        CHECK(outcome.status == 0);
        CHECK_FALSE(has_controls(outcome.out));
    }
    const std::string table = run({"find", db, kStart}).out;
    CHECK_THAT(table, Contains("Clear \\x1b[2J screen") && Contains("back\\x08space") &&
                          Contains("C1 \\x9b31m") && Contains("A\\x09B"));
    const auto json = json_lines(run({"find", db, kStart, "--format", "json"}).out);
    CHECK(json[0]["event"] == "Clear \x1b[2J screen");
    CHECK(json[0]["black"] ==
          "C1 \xC2\x9B"
          "31m");

    // Paths and words in messages.
    const std::string name = "\x1b]0;title\x07.db";
    for (const Words& words :
         {Words{"find", directory / name, kStart}, Words{"import", db, directory / name},
          Words{"show", db, "1\x1b[31m"}, Words{"find", db, "\x1b[31m w - -"}}) {
        const Outcome outcome = run(words);
        CHECK(outcome.status == 2);
        CHECK_FALSE(has_controls(outcome.err));
        CHECK_THAT(outcome.err, Contains("\\x1b"));
    }
    const std::string file = directory.write("\x1b[1mbold.pgn", "nothing here\n");
    const Outcome import = run({"import", db, file});
    CHECK(import.status == 2);
    CHECK_FALSE(has_controls(import.err));
}

TEST_CASE("A game that could not be replayed is kept and shown with its tags") {
    const TemporaryFile db("my.db");
    const Outcome import =
        run({"import", db, "-"},
            "[White \"a\"]\n[Variant \"Bughouse\"]\n[Result \"1-0\"]\n\n1.e3 b5 1-0\n\n"
            "[White \"b\"]\n\n1.e4 e5 *\n");
    CHECK(import.status == 0);
    CHECK_THAT(import.err, Contains("2 games, 2 plies, 1 error "));
    CHECK_THAT(run({"show", db, "1"}).out, Contains("[Variant \"Bughouse\"]") && Contains("1-0"));
    check_refused(run({"show", db, "1", "--plies"}), {"game 1", "variant"});
    check_refused(run({"show", db, "1", "--board"}), {"game 1"});
    const auto found = json_lines(run({"find", db, kStart, "--format", "json"}).out);
    REQUIRE(found.size() == 1);
    CHECK(found[0]["game_id"] == 2);
}

TEST_CASE("show --format json gives an object for each game, with its moves and every tag") {
    const std::string& db = samples_database();
    const auto games = json_lines(run({"show", db, "1-3", "--format", "json"}).out);
    REQUIRE(games.size() == 3);
    const Json& game = games[0];
    // The members of `games` come first.
    const auto listed = json_lines(run({"games", db, "--format", "json"}).out);
    Json same = game;
    for (const char* const more : {"variant", "fen", "moves", "record_evals", "tags"}) {
        CHECK(same.erase(more) == 1);
    }
    CHECK(same.dump() == listed[0].dump());
    CHECK(game["variant"] == "standard");
    CHECK(game["fen"] == kStart);
    CHECK(game["moves"].size() == 45);
    CHECK(game["moves"][0] == "e4");
    CHECK(game["moves"][44] == "Be7#");
    CHECK(game["tags"]["White"] == game["white"]);
    CHECK(game["tags"]["Result"] == "1-0");

    // With several games, each ply names its game, as in an export.
    const std::string columns = "game_id,ply,san,uci,key,fen,epd,occurrence,eval,mate,depth";
    for (const char* const format : {"json", "csv"}) {
        CHECK(run({"show", db, "1-3", "--plies", "--format", format}).out ==
              run({"export", db, "--limit", "3", "--format", format, "--rows", "plies", "--columns",
                   columns})
                  .out);
    }
}
