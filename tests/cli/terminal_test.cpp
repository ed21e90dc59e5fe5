// Tables and help on a terminal of 80 columns, and unchanged in a pipe.
#include <filesystem>

#include "base/display_width.hpp"
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::Matches;
using Catch::Matchers::StartsWith;
using fendex::base::display_width;

Outcome on_terminal(const Words& words, unsigned short columns = 80,
                    const Words& environment = {}) {
    ProcessOptions options{.terminal = columns};
    // $COLUMNS of the tests' environment must not matter.
    options.environment = {"COLUMNS=", "TERM=xterm", "NO_COLOR="};
    options.environment.insert(options.environment.end(), environment.begin(), environment.end());
    return run(words, options);
}

/// Removes colours.
std::string plain(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b') {
            i = text.find('m', i);
        } else {
            out += text[i];
        }
    }
    return out;
}

/// Returns the lines of the output; checks that none is wider than the terminal.
Words fitting_lines(const Words& words, unsigned short columns = 80) {
    const Outcome outcome = on_terminal(words, columns);
    CAPTURE(words, outcome.err);
    REQUIRE(outcome.status == 0);
    const Words lines = lines_of(plain(outcome.out));
    REQUIRE_FALSE(lines.empty());
    for (const std::string& line : lines) {
        CAPTURE(line);
        CHECK(display_width(line) <= columns);
    }
    return lines;
}

const std::string kRepeated =
    "[White \"Long Name, Of The First Player\"]\n[Black \"Second\"]\n[Date \"1999.01.02\"]\n"
    "[Result \"1/2-1/2\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1/2-1/2\n\n";

}  // namespace

TEST_CASE("on a terminal: tables and help fit its width") {
    const std::string& db = samples_database();
    for (const Words& words :
         std::vector<Words>{{"games", db},
                            {"games", db, "--sort", "elo"},
                            {"find", db, kStart},
                            {"find", db, "--moves", "1.e4 c5"},
                            {"tree", db},
                            {"tree", db, "--depth", "3", "--min-games", "5"},
                            {"repeats", db},
                            {"repeats", db, "--claims"},
                            {"repeats", db, "--min", "2"},
                            {"info", db},
                            {"info", db, "--sources"},
                            {"openings", db},
                            {"players", db},
                            {"prepare", db, "Carlsen,M", "--color", "white"},
                            {"sql", db, "SELECT id, white, black, date FROM game"},
                            {"delete", db, "--games", "1-30", "--dry-run"},
                            {"--help"}}) {
        for (const int columns : {80, 100, 132}) {
            fitting_lines(words, static_cast<unsigned short>(columns));
        }
    }
    for (const std::string& verb : verb_names()) {
        const Outcome help = on_terminal({verb, "--help"}, 80);
        // Examples are not cut, so that they can be copied.
        const Words lines = lines_of(help.out.substr(0, help.out.find("Example:")));
        for (const std::string& line : lines) {
            CAPTURE(verb, line);
            CHECK(line.size() <= 80);
        }
    }
}

TEST_CASE("on a terminal: columns without values are left out, paths lose their beginning") {
    const TemporaryFile db("my.db");
    const std::string folder =
        "a-folder-with-a-rather-long-name/and-another-one-below-that/and-a-last-one";
    const std::string pgn = db.write_beside(
        folder + "/broken.pgn",
        "[White \"x\"]\n\n1. e4 Qh9 2. and a text that goes on for more than a line does *\n\n");
    REQUIRE(run({"import", db, pgn}).status == 0);
    const Words errors = fitting_lines({"errors", db});
    REQUIRE(errors.size() >= 2);
    CHECK_THAT(errors[1], StartsWith("\u2026") && Contains("broken.pgn  "));
    const Words games = fitting_lines({"games", db});
    CHECK_THAT(games[0], Matches("game  white  result  plies"));
    // Wide enough for all: nothing is cut.
    CHECK_THAT(fitting_lines({"games", samples_database(), "--sort", "elo"}, 300)[0],
               Contains("event") && Contains("elo") && Contains("eco"));
}

TEST_CASE("on a terminal: a FEN is never cut") {
    const std::string& db = samples_database();
    const Words plies = lines_of(on_terminal({"show", db, "1", "--plies"}, 80).out);
    CHECK_THAT(plies.back(), Contains(kMate));
    CHECK_THAT(on_terminal({"show", db, "1", "--plies"}, 60).out, Contains("fen         " + kMate));
    CHECK_THAT(run({"show", db, "1", "--plies"}).out, Contains(kMate));
    const Outcome sql = on_terminal({"sql", db, "SELECT fen, NULL AS n FROM ply LIMIT 1"}, 40);
    CHECK(sql.out == "fen  " + kStart + "\n\n");
    const Outcome one = on_terminal({"sql", db, "SELECT fen FROM ply LIMIT 1"}, 40);
    CHECK(one.out == "fen\n" + kStart + "\n");
}

TEST_CASE("on a terminal: each value has a line of its own if the table does not fit") {
    const TemporaryFile db("my.db");
    const std::string pgn = db.write_beside("games.pgn", kRepeated);
    REQUIRE(run({"import", db, pgn}).status == 0);
    CHECK(on_terminal({"games", db, "--no-header"}, 40).out ==
          "game    1\nwhite   Long Name, Of The First Player\nblack   Second\n"
          "result  1/2-1/2\ndate    1999.01.02\nplies   9\n\n");
    CHECK(lines_of(on_terminal({"players", db}, 40).out)[0] ==
          "name   Long Name, Of The First Player");
    REQUIRE(run({"import", db, pgn, "--again", "--yes"}).status == 0);
    CHECK_THAT(fitting_lines({"duplicates", db}, 80)[1], StartsWith("identical"));
    // Wide, but with more columns than fit, none of which can be left out.
    const Outcome all = on_terminal({"sql", db, "SELECT * FROM game"}, 80);
    CHECK_THAT(all.out, Contains("\nresult_text") || Contains("\nresult"));
    CHECK_THAT(all.out, StartsWith("id "));
}

TEST_CASE("on a terminal: names of openings have room, and no opening is not a blank") {
    const std::string& db = samples_database();
    const Words lines = fitting_lines({"openings", db, "--limit", "100"}, 80);
    CHECK_THAT(lines[0], Contains("score") && !Contains("%"));
    CHECK_THAT(lines[1], Contains(" %  ") || Contains(" % "));
    const auto is_unnamed = [](const std::string& line) {
        return line.find("(no name)") != std::string::npos;
    };
    CHECK(std::ranges::any_of(lines, is_unnamed));
    CHECK(run({"openings", db, "--format", "csv"}).out.find("(no name)") == std::string::npos);
}

TEST_CASE("on a terminal: moves have their numbers, repeats shows the position") {
    const TemporaryFile db("my.db");
    REQUIRE(run({"import", db, "-"}, kRepeated).status == 0);
    const Words repeats = fitting_lines({"repeats", db, "--fen", kStart});
    REQUIRE(repeats.size() == 3);
    CHECK_THAT(repeats[0], StartsWith("game  move"));
    CHECK_THAT(repeats[1], Contains("  4\u2026Ng8  "));
    CHECK(repeats[2] == "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");

    CHECK_THAT(fitting_lines({"find", db, "--moves", "1.Nf3"})[1], Contains("  1\u2026Nf6"));
    CHECK_THAT(fitting_lines({"find", db, "--moves",
                              "1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 "
                              "5.e4"})[1],
               Contains("  5\u2026(end)"));
    // Scripts get the same output as before.
    CHECK_THAT(run({"find", db, "--moves", "1.Nf3"}).out, Contains("  Nf6\n"));
    CHECK_THAT(run({"repeats", db}).out, StartsWith("game_id  count  plies  third_ply"));
}

TEST_CASE("on a terminal: names are aligned by their displayed width") {
    const TemporaryFile db("my.db");
    const auto game = [](const std::string& white) {
        return "[White \"" + white + "\"]\n[Black \"B\"]\n\n1. e4 *\n\n";
    };
    // A letter with a combining mark, ideographs, ASCII.
    REQUIRE(
        run({"import", db, "-"}, game("Gru\u0308nfeld") + game("\u8B1D\u8ECD") + game("Xie Jun"))
            .status == 0);
    for (const Words& lines : {fitting_lines({"games", db}), lines_of(run({"games", db}).out)}) {
        REQUIRE(lines.size() == 4);
        for (std::size_t i = 1; i < 4; ++i) {
            CAPTURE(lines[i]);
            CHECK(display_width(lines[i].substr(0, lines[i].find(" B "))) ==
                  display_width(lines[1].substr(0, lines[1].find(" B "))));
        }
    }
}

TEST_CASE("on a terminal: colours can be turned off, and the width is its own or $COLUMNS") {
    const std::string& db = samples_database();
    const Words words{"tree", db};
    CHECK_THAT(on_terminal(words).out, Contains("\x1b["));
    CHECK_THAT(on_terminal(words, 80, {"NO_COLOR=1"}).out, !Contains("\x1b["));
    CHECK_THAT(on_terminal(words, 80, {"TERM=dumb"}).out, !Contains("\x1b["));
    CHECK_THAT(run(words).out, !Contains("\x1b["));
    CHECK((on_terminal(words, 80, {"COLUMNS=120"}).out == on_terminal(words, 120).out));
    CHECK((on_terminal(words, 90, {"COLUMNS=wide"}).out == on_terminal(words, 90).out));
    CHECK((on_terminal(words, 0, {}).out == run(words).out));
}

TEST_CASE("Option --no-header leaves out the line of column names, on terminals and in pipes") {
    const std::string& db = samples_database();
    const Words with = lines_of(run({"games", db}).out);
    Words without = lines_of(run({"games", db, "--no-header"}).out);
    CHECK(without.size() + 1 == with.size());
    CHECK_THAT(with[0], StartsWith("game_id"));
    CHECK_THAT(without[0], Contains("1  "));
    CHECK_THAT(run({"tree", db, "--no-header"}).out, !Contains("share"));
    CHECK_THAT(on_terminal({"games", db, "--no-header"}).out, !Contains("white"));
    CHECK(run({"games", db, "--format", "json", "--no-header"}).out ==
          run({"games", db, "--format", "json"}).out);
    const std::string info = run({"info", db, "--format", "csv"}).out;
    CHECK(run({"info", db, "--format", "csv", "--no-header"}).out ==
          info.substr(info.find('\n') + 1));
}

TEST_CASE("fendex sql on a terminal says how to give a query, and names sqlite3") {
    const std::string& db = samples_database();
    const Outcome outcome = on_terminal({"sql", db});
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains("which query?") && Contains("sqlite3 ") && Contains(".load "));
    CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("on a terminal: a message says that nothing was found, with similar names") {
    const std::string& db = samples_database();
    for (const Words& words :
         {Words{"games", db, "--until", "1500"}, Words{"duplicates", db, "--until", "1500"},
          Words{"find", db, "--material", "KRRRRvKP"}}) {
        CAPTURE(words);
        const Outcome outcome = on_terminal(words);
        CHECK(outcome.status == 1);
        CHECK_THAT(outcome.out + outcome.err, Contains("nothing found"));
        CHECK_THAT(run(words).err, !Contains("nothing found"));  // programs have the exit status
    }
    CHECK_THAT(run({"games", db, "--opening", "najdorff"}).err,
               Contains("--opening: no name has the words 'najdorff'; similar names: 'B9"));
}
