#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

std::string game(const std::string& white, const std::string& date, const std::string& moves,
                 const std::string& result = "1-0") {
    return "[Event \"Linares {2}\"]\n[Date \"" + date + "\"]\n[White \"" + white +
           "\"]\n[Black \"Leko, Peter\"]\n[Result \"" + result + "\"]\n\n" + moves + ' ' + result +
           "\n\n";
}

class Novelties {
  public:
    Novelties() {
        const std::string games = game("Kramnik, Vladimir", "2003.02.01", "1. e4 e5 2. Nf3 Nc6") +
                                  game("Anand, V", "2001.??.??", "1. e4 e5 2. Nf3 Nf6", "0-1") +
                                  game("Topalov", "????.??.??", "1. e4 e5 2. Nf3 d6") +
                                  game("Shirov, A", "2004.03.01", "1. e4 e5 2. d4", "1/2-1/2") +
                                  game("Adams", "2002.01.01", "1. e4 e5 2. Nf3", "1/2-1/2");
        REQUIRE(run({"import", database(), directory_.write("known.pgn", games)}).status == 0);
    }
    std::string database() const { return directory_ / "my.db"; }
    const TemporaryDirectory& directory() const { return directory_; }

    Outcome ask(const std::string& pgn, Words words = {}) const {
        words.insert(words.begin(), {"novelty", database(), "-"});
        return run(words, pgn);
    }
    std::vector<Json> json(const std::string& pgn, Words words = {}) const {
        words.insert(words.end(), {"--format", "json"});
        return json_lines(ask(pgn, words).out);
    }

  private:
    TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("novelty gives the last known position, who reached it last, and what was played") {
    const Novelties novelties;
    const auto rows =
        novelties.json(game("New, Player", "2004.01.01", "1. e4 e5 2. Nf3 Bc5 3. c3"));
    REQUIRE(rows.size() == 1);
    const Json& row = rows[0];
    CHECK(members(row) == Words{"game", "white", "black", "date", "result", "ply", "fen", "key",
                                "games", "last", "novelty", "played", "ended", "eval"});
    CHECK(row["game"] == 1);
    CHECK(row["white"] == "New, Player");
    CHECK(row["ply"] == 3);
    CHECK(row["fen"] == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    CHECK(row["games"] == 3);
    CHECK(members(row["last"]) == Words{"game_id", "white", "black", "result", "date", "event",
                                        "site", "round", "white_elo", "black_elo", "eco"});
    CHECK(row["last"]["white"] == "Kramnik, Vladimir");
    CHECK(row["novelty"] == Json{{"ply", 4}, {"san", "Bc5"}, {"uci", "f8c5"}, {"eval", nullptr}});
    REQUIRE(row["played"].size() == 2);
    CHECK(members(row["played"][0]) ==
          Words{"san", "uci", "games", "white", "draws", "black", "eval"});
    for (const Json& move : row["played"]) {
        CHECK(move["games"] == 1);
        CHECK(move["white"] == (move["san"] == "Nc6" ? 1 : 0));
        CHECK(move["black"] == (move["san"] == "Nf6" ? 1 : 0));
    }
    CHECK(row["ended"] == 1);
}

TEST_CASE("novelty: only games known to be earlier count, and no identical one") {
    const Novelties novelties;
    const auto games_at = [&](const std::string& date) {
        return novelties.json(game("New", date, "1. e4 e5 2. Nf3 Bc5"))[0]["games"];
    };
    CHECK(games_at("2003.02.01") == 2);
    CHECK(games_at("2003.02.??") == 2);
    CHECK(games_at("2003.03.??") == 3);
    CHECK(games_at("2002.01.01") == 1);
    CHECK(games_at("2001.12.31") == 0);
    CHECK(games_at("????.??.??") == 4);
    const Json again =
        novelties.json(game("KRAMNIK, Vladimir", "2005.??.??", "1. e4 e5 2. Nf3 Nc6"))[0];
    CHECK(again["ply"] == 3);
    CHECK(again["novelty"]["san"] == "Nc6");
    const Json other = novelties.json(game("Other", "2005.??.??", "1. e4 e5 2. Nf3 Nc6"))[0];
    CHECK(other["ply"] == 4);
    CHECK(other["novelty"].is_null());
    CHECK(novelties.json(game("New", "2010.??.??", "1. e4 e5 2. Nf3 Bc5"),
                         {"--result", "draw"})[0]["games"] == 1);
}

TEST_CASE("novelty prints tables, CSV and pages, and reads several files") {
    const Novelties novelties;
    const std::string first = game("New", "2010.??.??", "1. e4 e5 2. Nf3 Bc5");
    const std::string all = first + game("Old", "1900.??.??", "1. e4 e5") +
                            game("Other", "2010.??.??", "1. e4 e5 2. Nf3 Nc6");
    const Outcome table = novelties.ask(all);
    CHECK(table.status == 0);
    CHECK_THAT(table.out, Contains("2\u2026Bc5") && Contains("Kramnik - Leko, Linares {2} 2003") &&
                              Contains("Nc6 1 (+1=0-0)") && Contains("3.(end)"));
    CHECK_THAT(novelties.ask(all, {"--limit", "1"}).out, Contains("... and 2 more games"));
    CHECK(novelties.json(all, {"--offset", "2"}).at(0)["game"] == 3);
    const Outcome csv = novelties.ask(all, {"--format", "csv"});
    CHECK_THAT(csv.out,
               StartsWith("game,white,black,date,result,ply,fen,key,games,last_game_id,") &&
                   Contains("\n2,Old,\"Leko, Peter\",1900.??.??,1-0,,,,0,,"));
    CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 4);
    const Outcome old = novelties.ask(game("Old", "1900.??.??", "1. e4 e5"));
    CHECK(old.status == 1);
    CHECK_THAT(old.out, Contains("Old"));

    const std::string a = novelties.directory().write("a.pgn", all);
    const std::string b = novelties.directory().write("b.pgn", first);
    const auto rows =
        json_lines(run({"novelty", novelties.database(), a, b, "--format", "json"}).out);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0]["source"] == a);
    CHECK(rows[3]["source"] == b);
    CHECK(rows[3]["game"] == 1);
    CHECK(rows[3]["key"] == rows[0]["key"]);
}

TEST_CASE("novelty: several threads keep the games in order, with their numbers") {
    const Novelties novelties;
    std::string all;
    constexpr unsigned kGames = 700;  // several batches
    for (unsigned i = 1; i <= kGames; ++i) {
        all += game("Player " + std::to_string(i), "2010.??.??", "1. e4 e5 2. Nf3 Bc5 3. Qe9");
    }
    const Outcome found = novelties.ask(all, {"--format", "json"});
    const auto rows = json_lines(found.out);
    REQUIRE(rows.size() == kGames);
    for (unsigned i = 1; i <= kGames; ++i) {
        CHECK(rows[i - 1]["game"] == i);
        CHECK(rows[i - 1]["white"] == "Player " + std::to_string(i));
        CHECK(rows[i - 1]["games"] == 3);
    }
    CHECK_THAT(found.err, Contains("-: game 1, line 7: ") && Contains("... and 690 more errors"));
    CHECK_THAT(
        novelties.ask(all, {"--offset", "600", "--limit", "3"}).out,
        Contains("Player 601 ") && Contains("Player 603 ") && Contains("... and 97 more games"));
}

TEST_CASE("novelty --annotate keeps what the game has, and adds a glyph and a comment") {
    const Novelties novelties;
    const Outcome annotated =
        novelties.ask(game("New", "2004.01.01",
                           "1. e4 {Best by test} e5 2. Nf3 Bc5!? {Bold} (2... Nc6 3. Bb5) 3. c3") +
                          game("Other", "2010.??.??", "1. e4 e5 2. Nf3 Nc6"),
                      {"--annotate"});
    CHECK(annotated.status == 0);
    CHECK_THAT(
        annotated.out,
        Contains("1. e4 {Best by test} 1... e5 2. Nf3 Bc5!? $146\n"
                 "{Last known position: 3 games, most recently Kramnik - Leko, Linares (2) 2003, "
                 "1-0. Played before: ") &&
            Contains("(1)}\n{Bold} (2... Nc6 3. Bb5) 3. c3 1-0\n\n[Event") &&
            Contains("\n\n1. e4 e5 2. Nf3 Nc6 1-0\n"));
    // What is written can be read again, and a glyph is not repeated.
    const Outcome again = novelties.ask(annotated.out, {"--annotate"});
    CHECK(again.out.find("$146") == again.out.rfind("$146"));
    check_refused(novelties.ask("", {"--annotate", "--limit", "3"}), {"--annotate"});
    check_refused(novelties.ask("", {"--annotate", "--format", "csv"}), {"--annotate"});
}

TEST_CASE("novelty: games with errors are reported, and written as they stand") {
    const Novelties novelties;
    const std::string broken =
        "[Event \"M\xFCnchen\"]\n[Date \"2004.??.??\"]\n\n1. e4 e5 2. Nf3 Qh1 3. a3 *";
    const Outcome found = novelties.ask(game("New", "2004.01.01", "1. e4 c5") + broken + "\n\n",
                                        {"--format", "json"});
    CHECK(found.status == 0);
    CHECK_THAT(found.err, Contains("-: game 2, line ") && Contains("Qh1"));
    const auto rows = json_lines(found.out);
    REQUIRE(rows.size() == 2);
    CHECK(rows[1]["ply"] == 3);
    CHECK(rows[1]["novelty"].is_null());
    const Outcome annotated = novelties.ask(broken, {"--annotate"});
    CHECK(annotated.out ==
          "[Event \"M\u00FCnchen\"]\n[Date \"2004.??.\?\?\"]\n\n1. e4 e5 2. Nf3 Qh1 3. a3 *\n\n");
}

TEST_CASE("novelty: input that cannot be read is an error") {
    const Novelties novelties;
    check_refused(run({"novelty", novelties.database()}), {"which games"});
    check_refused(novelties.ask(""), {"no game found"});
    check_refused(novelties.ask("This text is about something else. It has no games at all.\n"),
                  {"is not PGN"});
    check_refused(run({"novelty", novelties.database(), "none.pgn"}), {"none.pgn"});
    check_refused(run({"novelty", novelties.database(), "-", "--dialect", "legal"}), {"--dialect"});
    const std::string archive = read_file(kSamples + "/tournament.pgn.zst");
    const std::string cut =
        novelties.directory().write("cut.pgn.zst", archive.substr(0, archive.size() / 2));
    const Outcome half = run({"novelty", novelties.database(), cut, "--format", "csv"});
    CHECK(half.status == 2);
    CHECK_THAT(half.out, StartsWith("game,white"));
    CHECK(run({"novelty", novelties.database(), kSamples + "/tournament.pgn.zst"}).status == 0);
}

TEST_CASE("novelty: games of variants and from set-up positions are compared, too") {
    const TemporaryDirectory directory;
    const std::string house =
        "[Date \"2001.??.??\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 *\n\n";
    const std::string setup =
        "[Date \"2001.??.??\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. "
        "O-O-O *\n\n";
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, directory.write("a.pgn", house + setup)}).status == 0);
    const std::string asked =
        "[Date \"2002.??.??\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n"
        "[Date \"2002.??.??\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. Ra8+ *\n\n"
        "[Date \"2002.??.??\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n\n"
        "[Date \"2002.??.??\"]\n[Variant \"Its own rules\"]\n\n1. xyz *\n\n";
    const auto rows = json_lines(run({"novelty", db, "-", "--format", "json"}, asked).out);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0]["novelty"]["uci"] == "P@e4");
    CHECK(rows[1]["ply"] == 0);
    CHECK(rows[1]["novelty"]["san"] == "Ra8+");
    CHECK(rows[1]["played"][0]["uci"] == "e1c1");
    CHECK(rows[2]["ply"].is_null());
    CHECK(rows[3]["ply"].is_null());
}

TEST_CASE("novelty: several databases answer like one that has all their games") {
    const TemporaryDirectory directory;
    const std::string one = game("A", "2001.01.01", "1. e4 e5 2. Nf3 Nc6 3. Bb5") +
                            game("B", "2002.01.01", "1. d4 d5 2. c4", "0-1");
    const std::string two = game("C", "2003.01.01", "1. e4 e5 2. Nf3 Nc6 3. Bc4", "1/2-1/2") +
                            game("D", "2000.01.01", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    const std::string a = directory / "a.db";
    const std::string b = directory / "b.db";
    const std::string all = directory / "all.db";
    REQUIRE(run({"import", a, "-"}, one).status == 0);
    REQUIRE(run({"import", b, "-"}, two).status == 0);
    REQUIRE(run({"import", all, "-"}, one + two).status == 0);
    const std::string asked = game("X", "2010.01.01", "1. e4 e5 2. Nf3 Nc6 3. d4") +
                              game("Y", "2010.01.01", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4") +
                              game("Z", "2010.01.01", "1. d4 d5 2. c4 e6") +
                              game("Early", "1999.01.01", "1. e4");
    const auto of_one = json_lines(run({"novelty", all, "-", "--format", "json"}, asked).out);
    const auto of_two = json_lines(run({"novelty", a, b, "-", "--format", "json"}, asked).out);
    REQUIRE(of_one.size() == 4);
    REQUIRE(of_two.size() == 4);
    for (std::size_t i = 0; i < of_one.size(); ++i) {
        Json expected = of_one[i];
        Json found = of_two[i];
        if (!expected["last"].is_null()) {
            const bool in_a = expected["last"]["white"] == "A" || expected["last"]["white"] == "B";
            CHECK(found["last"]["database"] == (in_a ? a : b));
            for (Json* const each : {&expected["last"], &found["last"]}) {
                each->erase("game_id");
                each->erase("database");
            }
        }
        CHECK(found == expected);
    }
    CHECK(of_two[0]["games"] == 3);
    CHECK_THAT(run({"novelty", a, b, "-"}, asked).out, Contains("database"));
    const std::string csv = run({"novelty", a, b, "-", "--format", "csv"}, asked).out;
    CHECK_THAT(csv, Contains(",games,last_database,last_game_id,") && Contains("," + b + ",1,"));
    CHECK_THAT(run({"novelty", a, b, "-", "--annotate"}, asked).out,
               Contains("3 games, most recently C - Leko"));
}

TEST_CASE("novelty says what games without a known position need") {
    const TemporaryDirectory directory;
    const std::string database = directory / "my.db";
    const std::string lines = "1. e4 e5 2. Nf3 *\n\n[White \"A\"]\n\n1. e4 e5 *\n";
    const std::string file = directory.write("lines.pgn", "1. e4 e5 2. Nf3 *\n");
    REQUIRE(run({"import", database, file}).status == 0);
    const Outcome undated = run({"novelty", database, file});
    CHECK(undated.status == 1);
    CHECK_THAT(undated.out, Contains("(nothing known)"));
    CHECK_THAT(undated.err, Contains("1 game without a known position: games with the same moves"));
    const Outcome dated = run({"novelty", database, "-"}, "[Date \"2001.01.01\"]\n\n1. e4 e5 *\n");
    CHECK_THAT(dated.err, Contains("1 game without a known position: only games with an earlier"));
    CHECK(run({"novelty", database, file, "--quiet"}).err.empty());
    CHECK(run({"novelty", database, "-"}, lines).status == 0);
}

TEST_CASE("novelty --variations knows the positions and moves of earlier games' variations") {
    const TemporaryDirectory directory;
    const std::string database = directory / "my.db";
    const std::string games =
        game("A", "2001.01.01", "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3") +
        game("B", "2002.01.01", "1. e4 e5 2. d4 (2. Nf3 Nc6 (2... d6)) 2... exd4", "1/2-1/2") +
        game("C", "2009.01.01", "1. d4 (1. e4 c5 2. c3) 1... d5", "0-1");
    REQUIRE(run({"import", database, directory.write("games.pgn", games), "--variations"}).status ==
            0);
    const auto novelty = [&](const std::string& moves, Words words = {"--variations"}) {
        words.insert(words.begin(), {"novelty", database, "-", "--format", "json"});
        const Json row = json_lines(run(words, game("New", "2004.01.01", moves)).out).at(0);
        std::string out = row["ply"].dump() + " in " + row["games"].dump() + ", last " +
                          row["last"]["game_id"].dump();
        for (const Json& move : row["played"]) {
            out += ", " + move["san"].get<std::string>() + ' ' + move["white"].dump() + '=' +
                   move["draws"].dump();
        }
        return out + "; ended " + row["ended"].dump();
    };
    // Only in a variation of one game, and in none of its own moves.
    CHECK(novelty("1. e4 c5 2. Nf3 Nc6") == "3 in 1, last 1, d6 1=0; ended 0");
    CHECK(novelty("1. e4 c5 2. Nf3 Nc6", {}) == "1 in 2, last 2, e5 1=1; ended 0");
    // A move that a game played and another one's variation; a later game does not count.
    CHECK(novelty("1. e4 e5 2. Nf3 Nf6") == "3 in 2, last 2, Nc6 0=1, d6 0=1; ended 1");
    CHECK(novelty("1. e4 c5 2. c3") == "2 in 1, last 1, Nf3 1=0; ended 0");
    CHECK(novelty("1. e4 e5 2. Bc4") == "2 in 2, last 2, Nf3 1=1, d4 0=1; ended 0");
    CHECK(novelty("1. e4 e5 2. Nf3 Nf6", {"--variations", "--result", "1-0"}) ==
          "3 in 1, last 1; ended 1");
    const std::string plain = directory / "plain.db";
    REQUIRE(run({"import", plain, directory / "games.pgn", "--annotations"}).status == 0);
    const std::string asked = directory.write("asked.pgn", game("N", "2004.01.01", "1. e4 c5"));
    CHECK(run({"novelty", plain, asked, "--variations"}).out == run({"novelty", plain, asked}).out);
}
