// Hints on stderr when nothing was found; answers and exit status do not change.
#include <catch2/catch.hpp>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

/// Returns stderr; checks status 1 and that stdout has at most a header.
std::string said(const Words& words) {
    const Outcome outcome = run(words);
    INFO(outcome.err);
    CHECK(outcome.status == 1);
    CHECK(lines_of(outcome.out).size() <= 1);  // a table's header
    return outcome.err;
}

std::string game_of(const std::string& white, const std::string& black, const std::string& event) {
    return "[Event \"" + event + "\"]\n[Site \"Wijk aan Zee NED\"]\n[White \"" + white +
           "\"]\n[Black \"" + black + "\"]\n[Result \"*\"]\n\n1. e4 e5 2. Ke2 *\n\n";
}

/// A database of players whose names are written in several ways.
class Players {
  public:
    Players() : database(directory_ / "players.db") {
        std::string pgn;
        for (const auto& [white, black] : std::vector<std::pair<std::string, std::string>>{
                 {"Carlsen, Magnus", "Karjakin, Sergey"},
                 {"Carlsen, Magnus", "Caruana, Fabiano"},
                 {"Caruana, Fabiano", "Carlsen,M"},
                 {"Carlsen, Mads", "Magnusson, Carl"},
                 {"Fischer, Robert James", "Spassky, Boris V"}}) {
            pgn += game_of(white, black, "Tata Steel Masters 2019");
        }
        REQUIRE(run({"import", database, directory_.write("players.pgn", pgn)}).status == 0);
    }

  private:
    TemporaryDirectory directory_;

  public:
    std::string database;

    std::size_t games(const Words& filter) const {
        Words words{"games", database, "--format", "json"};
        words.insert(words.end(), filter.begin(), filter.end());
        return json_lines(run(words).out).size();
    }
};

}  // namespace

TEST_CASE("Names are found by beginnings of their words, in any order") {
    const Players players;
    CHECK(players.games({"--player", "Magnus Carlsen"}) == 2);
    CHECK(players.games({"--player", "carlsen, magnus"}) == 2);
    CHECK(players.games({"--player", "carlsen m"}) == 4);
    CHECK(players.games({"--white", "magnus"}) == 2);
    CHECK(players.games({"--black", "m carl"}) == 2);  // Carlsen,M and Magnusson, Carl
    CHECK(players.games({"--player", "bobby fischer"}) == 0);
    CHECK(players.games({"--event", "steel tata"}) == 5);
    CHECK(players.games({"--event", "2019 tata"}) == 5);
    CHECK(players.games({"--site", "zee wijk"}) == 5);
    CHECK(players.games({"--event", "steels tata"}) == 0);
}

TEST_CASE("delete leaves games whose names lack a typed word") {
    const Players players;
    const Outcome dry =
        run({"delete", players.database, "--player", "Magnus Carlsen", "--dry-run"});
    CHECK(dry.err ==
          "fendex: --player 'magnus carlsen' fits 'Carlsen, Magnus' (2 games)\n"
          "2 of 5 games would be deleted\n");
    const Outcome none = run({"delete", players.database, "--player", "Magnus Karlsen"});
    CHECK(none.status == 1);
    CHECK_THAT(none.err,
               Contains("'Carlsen, Magnus' (2 games)") && Contains("nothing was deleted"));
    CHECK(run({"delete", players.database, "--player", "Magnus Carlsen"}).status == 0);
    CHECK(players.games({"--player", "carlsen"}) == 2);
}

TEST_CASE("delete says which names match before it deletes") {
    const Players players;
    const std::string names =
        "fendex: --player 'carls m' fits 'Carlsen, Magnus' (2 games), 'Carlsen, Mads' (1 game), "
        "'Carlsen,M' (1 game)\n";
    const Words words{"delete", players.database, "--player", "Carls m", "--event", "tata"};
    Words dry = words;
    dry.push_back("--dry-run");
    CHECK(run(dry).err == names +
                              "fendex: --event 'tata' fits 'Tata Steel Masters 2019' (4 games)\n"
                              "4 of 5 games would be deleted\n");
    const std::string err = run(words).err;
    CHECK(err.find(names) < err.find("deleting 4 of 5 games"));
    CHECK(run({"delete", players.database, "--player", "spassky", "--quiet"}).err.empty());
}

TEST_CASE("delete --eco says before it deletes that it compares the tag") {
    const Players players;
    for (const char* const how : {"--dry-run", "--duplicates=identical"}) {
        const std::string err = run({"delete", players.database, "--eco", "C20", how}).err;
        CHECK_THAT(err, Catch::Matchers::StartsWith("fendex: --eco compares the tag ECO"));
    }
}

TEST_CASE("delete succeeds even if its messages cannot be written") {
    const Players players;
    CHECK(run_process({"sh", "-c", "\"$0\" \"$@\" 2>/dev/full", FENDEX_BINARY, "delete",
                       players.database, "--player", "spassky"})
              .status == 0);
    CHECK(players.games({}) == 4);
}

TEST_CASE("Similar names are suggested, with their number of games") {
    const Players players;
    const auto near = [&](const Words& filter) {
        Words words{"games", players.database};
        words.insert(words.end(), filter.begin(), filter.end());
        return said(words);
    };
    CHECK(near({"--player", "Magnus Karlsen"}) ==
          "fendex: --player: no name has the words 'magnus karlsen'; similar names: 'Carlsen, "
          "Magnus' (2 "
          "games), 'Carlsen,M' (1 game)\n");
    CHECK_THAT(near({"--white", "Fisher"}), Contains("'Fischer, Robert James' (1 game)"));
    CHECK_THAT(near({"--white", "Bobby Fischer"}), Contains("'Fischer, Robert James' (1 game)"));
    CHECK(near({"--black", "Fisher"}) == "fendex: --black: no name has the words 'fisher'\n");
    CHECK(near({"--player", "nobody of this name"}) ==
          "fendex: --player: no name has the words 'nobody of this name'\n");
    CHECK_THAT(near({"--event", "Tata Stel"}), Contains("'Tata Steel Masters 2019' (5 games)"));
    for (const char* const verb : {"repeats", "duplicates"}) {
        CHECK_THAT(said({verb, players.database, "--player", "Fisher"}), Contains("'Fischer, "));
    }
    for (const char* const verb : {"find", "tree"}) {
        const Outcome none = run({verb, players.database, kStart, "--player", "Fisher"});
        CHECK(none.status == 1);
        CHECK_THAT(none.err, Contains("'Fischer, "));
    }
    CHECK_THAT(run({"export", players.database, "--player", "Fisher"}).err, Contains("'Fischer, "));
    // The name exists, only other conditions fail, so there is no hint.
    CHECK(near({"--player", "carlsen", "--since", "2100"}).empty());
}

TEST_CASE("A position that differs only in side, rights or en passant is suggested") {
    const std::string& db = samples_database();
    const std::string board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for (const std::string& asked : {board + " w KQkq - 0 1", board + " b KQk - 0 1"}) {
        CHECK(said({"find", db, asked}) ==
              "fendex: 56 games reached its board with another side to move, other castling "
              "rights or en passant: --match board finds them\n");
    }
    CHECK_THAT(run({"tree", db, board + " w KQkq - 0 1"}).err, Contains("56 games reached"));
    CHECK_THAT(run({"export", db, "--fen", board + " w KQkq - 0 1"}).err,
               Contains("56 games reached"));
    CHECK_THAT(said({"find", db, kStart, "--since", "2100"}),
               Contains("106 games reached the position, but none that meets the conditions"));
    CHECK(said({"find", db, "8/8/8/8/8/k7/8/K6R w - - 0 1"}).empty());
}

TEST_CASE("Among several positions, those that found nothing are explained") {
    const std::string& db = samples_database();
    const std::string e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    const std::string no_game = "8/8/8/8/8/k7/8/K6R w - - 0 1";
    const std::string says =
        "56 games reached its board with another side to move, other castling rights or en "
        "passant: --match board finds them\n";
    const std::string expected = "fendex: '" + e4 + " w - - 0 1': " + says;
    CHECK(run({"find", db, kStart, e4 + " w - - 0 1", no_game}).err == expected);
    CHECK(run({"find", db, e4 + " w - - 0 1", no_game, "--count"}).err == expected);
    CHECK(run({"tree", db, e4 + " w - - 0 1", no_game}).err == expected);
    CHECK(run({"find", db, e4 + " w - - 0 1", no_game, "--quiet"}).err.empty());
    const TemporaryDirectory directory;
    std::string records;
    for (int i = 0; i < 7; ++i) records += e4 + " w KQk - 0 " + std::to_string(i + 1) + "\n";
    const std::string file = directory.write("seven.fen", records);
    const Words lines = lines_of(run({"find", db, file, "--format", "json"}).err);
    REQUIRE(lines.size() == 6);
    CHECK(lines[4] + '\n' == "fendex: " + file + ":5: " + says);
    CHECK(lines[5] == "fendex: ... and 2 more questions without games");
    CHECK(run({"find", db, "--moves", "a3 a6 b3", "--moves", "e4 e5", "--since", "2100"}).err ==
          "fendex: --moves 'e4 e5': 32 games reached the position, but none that meets the "
          "conditions\n");
    CHECK(run({"find", db, kStart, no_game, "--player", "xxx"}).err ==
          "fendex: --player: no name has the words 'xxx'\n");
    CHECK(said({"repeats", db, "--fen", "startpos"}) ==
          "fendex: 106 games reached the position, but none that repeated it as wanted\n");
    CHECK_THAT(said({"repeats", db, "--fen", e4 + " w KQkq - 0 1"}), Contains("--match board"));
}

TEST_CASE("If the database has no games of the variant, a message says what it has") {
    const TemporaryFile database("zh.db");
    const std::string games = database.write_beside(
        "zh.pgn", "[Variant \"Crazyhouse\"]\n[White \"a\"]\n\n1. e4 e5 *\n\n" +
                      std::string("[Variant \"Atomic\"]\n[White \"b\"]\n\n1. e4 *\n"));
    REQUIRE(run({"import", database, games}).status == 0);
    const std::string says =
        "fendex: the database has no games of standard; it has 1 of crazyhouse, 1 of atomic: "
        "--variant NAME searches those\n";
    CHECK(said({"find", database, kStart}) == says);
    CHECK(said({"games", database, "--variant", "standard"}) == says);
    CHECK(run({"tree", database}).err == says);
    CHECK_THAT(run({"export", database, "--format", "epd"}).err, Contains(says));
    CHECK_THAT(said({"games", database, "--variant", "horde"}), Contains("no games of horde"));
    CHECK(run({"find", database, kStart, "--variant", "crazyhouse"}).status == 0);
}

TEST_CASE("find --variations in a database without indexed variations says so") {
    CHECK_THAT(said({"find", samples_database(), "8/8/8/8/8/k7/8/K6R w - - 0 1", "--variations"}),
               Contains("no variations are indexed here: import games with --variations"));
}

TEST_CASE("If no game has the opening, --eco says that it compares the tag") {
    const Outcome found = run({"games", samples_database(), "--eco", "C33", "--format", "json"});
    CHECK(found.status == 0);
    CHECK(json_lines(found.out).at(0)["eco"] == "C33");
    CHECK_THAT(found.err, Contains("--eco compares the tag ECO"));
    CHECK_THAT(run({"games", "--help"}).out, Contains("tag ECO"));
}
