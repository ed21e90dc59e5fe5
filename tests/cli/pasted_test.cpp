// Texts that people paste in place of a FEN, and options that they expect.
#include <catch2/catch.hpp>

#include "cli/fixture.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;

const std::string kBoard = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR";
const std::string kSicilian = kBoard + " w KQkq c6 0 2";

std::string found(const Words& words) {
    Words all{"find", samples_database(), "--count", "--format", "json"};
    all.insert(all.end(), words.begin(), words.end());
    return run(all).out;
}

Outcome find(const std::string& word) { return run({"find", samples_database(), word}); }

std::string escaped(std::string text) {
    for (const auto& [from, to] : {std::pair(" ", "%20"), std::pair("/", "%2F")}) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
            text.replace(at, 1, to);
        }
    }
    return text;
}

std::string underscored(std::string text) {
    for (char& c : text) c = c == ' ' ? '_' : c;
    return text;
}

}  // namespace

TEST_CASE("A position is a word after the database or follows --fen, for every verb") {
    const std::string& db = samples_database();
    const std::string fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    for (const char* const verb : {"find", "tree", "evals", "repeats"}) {
        CAPTURE(verb);
        const Outcome word = run({verb, db, fen, "--format", "json"});
        const Outcome option = run({verb, db, "--fen", fen, "--format", "json"});
        CHECK(word.status == option.status);
        CHECK(word.out == option.out);
        CHECK(word.err == option.err);
    }
    const Outcome both = run({"find", db, "--fen", fen, fen, "--count", "--format", "csv"});
    CHECK_THAT(both.out, Catch::Matchers::Contains("2,,,,,32,32"));
    CHECK(run({"repeats", db, "--fen", fen, "--rule50"}).status == 2);
}

TEST_CASE("Positions are read from addresses of Lichess and Chess.com") {
    const std::string expected = found({kSicilian});
    REQUIRE(expected.find("\"games\":0") == std::string::npos);
    const std::string fen = underscored(kSicilian);
    for (const std::string& address :
         {"https://lichess.org/analysis/" + fen, "https://lichess.org/analysis/standard/" + fen,
          "https://lichess.org/analysis/fromPosition/" + fen + "?color=black",
          "lichess.org/editor/" + fen + "?color=white", "https://lichess.org/editor?fen=" + fen,
          "https://lichess.org/analysis/standard/" + fen + "#3",
          "https://lichess.org/analysis/chess960/" + fen,
          "https://www.chess.com/analysis?fen=" + escaped(kSicilian),
          "https://www.chess.com/analysis?tab=analysis&fen=" + escaped(kSicilian) + "&flip=true",
          "chess.com/analysis?fen=" + fen}) {
        CAPTURE(address);
        CHECK(found({address}) == expected);
    }
    CHECK(run({"tree", samples_database(), "https://lichess.org/analysis/" + fen}).out ==
          run({"tree", samples_database(), kSicilian}).out);
    CHECK((run({"export", samples_database(), "--fen", "https://lichess.org/editor/" + fen}).out ==
           run({"export", samples_database(), "--fen", kSicilian}).out));
    const Json of_fen =
        json_lines(run({"fen", "https://lichess.org/analysis/crazyhouse", "--format", "json"}).out)
            .at(0);
    CHECK(of_fen["variant"] == "crazyhouse");
    CHECK(of_fen["input"] == "https://lichess.org/analysis/crazyhouse");
}

TEST_CASE("Addresses of games and other pages are refused with advice") {
    check_refused(find("https://lichess.org/q7ZvsdUF/black#40"),
                  {"address of a game", "https://lichess.org/game/export/q7ZvsdUF", "import"});
    check_refused(find("https://lichess.org/q7ZvsdUFabcd"), {"game/export/q7ZvsdUF"});
    check_refused(find("https://www.chess.com/game/live/123456789"),
                  {"address of a game", "download its PGN"});
    check_refused(find("https://www.chess.com/analysis/game/live/123456789?tab=review"),
                  {"address of a game"});
    check_refused(find("https://lichess.org/study/abc/def"), {"no position is in this address"});
    check_refused(find("https://lichess.org/analysis"), {"no position"});
    check_refused(find("https://lichess.org/analysis/pgn/e4_e5"), {"--moves"});
    check_refused(find("https://www.chess.com/explorer?moveList=mCZS"), {"--moves"});
}

TEST_CASE("startpos, and a placement with --match board, are positions") {
    CHECK(found({"startpos"}) == found({kStart}));
    CHECK(found({"startpos", "--moves", "e4 c5"}) == found({kSicilian}));
    CHECK(json_lines(run({"fen", "startpos", "--variant", "horde", "--format", "json"}).out)
              .at(0)["variant"] == "horde");
    CHECK(json_lines(found({kStart, "startpos"})).size() == 2);
    check_refused(find("startpos moves e2e4"), {"--moves"});
    CHECK(found({kBoard, "--match", "board"}) == found({kSicilian, "--match", "board"}));
    // White is in check: only White can be to move.
    CHECK(run({"find", samples_database(), "4k3/8/8/8/4r3/8/8/4K3", "--match", "board"}).status ==
          1);
    CHECK(run({"find", samples_database(), "4r1k1/8/8/8/8/8/4R3/4K3", "--match", "board"}).status ==
          1);
    check_refused(find(kBoard), {"side", "--match board"});
}

TEST_CASE("Games, moves and databases in place of a FEN are refused with advice") {
    const std::string& db = samples_database();
    check_refused(find("games.pgn"), {"'games.pgn' holds games", "fendex import DB games.pgn"});
    check_refused(run({"tree", db, "games.pgn.zst"}), {"'games.pgn.zst' holds games"});
    check_refused(run({"find", db, "--fens", "games.pgn"}), {"'games.pgn' holds games"});
    check_refused(find("1.e4 c5"), {"'1.e4 c5': these are moves: give them with --moves"});
    check_refused(run({"find", db, "e4", "c5"}), {"'e4 c5'", "--moves"});
    check_refused(run({"tree", db, "e2e4"}), {"'e2e4'", "--moves"});
    check_refused(find("hello"), {"'hello': "});
    check_refused(run({"find", kSicilian, db}), {"the database comes first", "fendex find " + db});
    check_refused(run({"tree", kSicilian}), {"the database comes first", "fendex tree my.db"});
    check_refused(run({"find", kBoard, "w", "KQkq", "-", db}), {"the database comes first"});
    check_refused(run({"find", "1.e4 c5", db}), {"the database comes first", "--moves"});
    check_refused(run({"tree", "startpos", db}), {"the database comes first"});
    check_refused(run({"find", "none.db", kSicilian}), {"none.db"});
    check_refused(run({"fen", kSamples + "/README.md"}), {"is a file", "--fens"});
    check_refused(run({"find", db, kSamples + "/README.md"}), {"is a file", "--fens"});
    CHECK_THAT(run({"fen", "e4 c5"}).out, Catch::Matchers::Contains("these are moves"));
}

TEST_CASE("FENs are read as other programs and texts write them") {
    const std::string expected = found({kSicilian});
    std::string wide = kSicilian;
    for (std::size_t at = 0; (at = wide.find(' ')) != std::string::npos;) {
        wide.replace(at, 1, "\u00A0");
    }
    for (const std::string& text :
         {"fen " + kSicilian, "FEN: " + kSicilian, "position fen " + kSicilian,
          "[FEN \"" + kSicilian + "\"]", "\"" + kSicilian + "\"", "'" + kSicilian + "'", wide,
          kBoard + " w KQkq – 0 2", "\u200B" + kSicilian + "\u00A0"}) {
        CAPTURE(text);
        CHECK(found({text}) == expected);
    }
    check_refused(find("fen " + kSicilian + " moves g1f3"), {"--moves"});
    const Json epd =
        json_lines(run({"find", samples_database(), "--format", "json", "--limit", "1",
                        kSicilian.substr(0, kBoard.size() + 10) + " id \"fen – of\u00A0it\";"})
                       .out)
            .at(0);
    CHECK(epd["id"] == "fen – of\u00A0it");
}

TEST_CASE("Positions, moves and games in place of the database are refused by every verb",
          "[full]") {
    const TemporaryFile db("small.db");
    REQUIRE(run({"import", db, "-"}, small_game(1)).status == 0);
    const std::string quoted = "\"" + kSicilian + "\"";
    // At small size each verb is asked one of the three.
    std::size_t number = 0;
    const auto is_asked = [&](std::size_t kind) { return full_size() || number % 3 == kind; };
    for (const std::string& verb : verb_names()) {
        if (verb == "import" || verb == "fen") continue;
        CAPTURE(verb);
        if (is_asked(0)) {
            check_refused(run({verb, kSicilian, db}), {"the database comes first", quoted});
        }
        if (is_asked(1)) {
            check_refused(
                run({verb, "1.e4 c5", db}),
                {"not a database but moves: the database comes first", "--moves \"1.e4 c5\""});
        }
        if (is_asked(2)) {
            check_refused(run({verb, "1.e4", "c5"}), {"my.db --moves \"1.e4 c5\""});
        }
        ++number;
    }
    CHECK(number > 15);
    check_refused(run({"repeats", kSicilian, db}), {"fendex repeats " + db + " " + quoted});
    check_refused(run({"export", kSicilian, db}), {"fendex export " + db + " " + quoted});
    check_refused(run({"tree", kSicilian, db}), {"fendex tree " + db + ' ' + quoted});
    check_refused(run({"games", kSicilian, db}), {"fendex find " + db + ' ' + quoted});
    check_refused(run({"export", "e4", "c5", db}), {"fendex export " + db + " --moves \"e4 c5\""});
    check_refused(run({"repeats", "e4", db}), {"fendex find " + db + " --moves e4"});
    check_refused(run({"show", "1", db}), {"as in fendex show " + db + " 1"});
    check_refused(run({"sql", "SELECT 1.5", db}), {"fendex sql " + db + " \"SELECT 1.5\""});
    check_refused(run({"games", "none.db", db}), {"unexpected argument"});
    for (const char* const verb : {"games", "players", "events", "duplicates", "delete", "info"}) {
        CAPTURE(verb);
        ++number;
        if (full_size() || number % 2 == 0) {
            check_refused(run({verb, db, kSicilian}), {"is a position: fendex ", quoted});
        }
        if (full_size() || number % 2 != 0) {
            check_refused(run({verb, db, "1.e4", "c5"}),
                          {"is a line of moves: fendex ", "\"1.e4 c5\""});
        }
    }
    check_refused(run({"export", db, "1.e4", "c5"}), {"'1.e4 c5'", "--moves"});
    check_refused(run({"export", db, "games.pgn"}), {"'games.pgn'", "-o"});
    check_refused(run({"show", db, "e4 e5"}), {"fendex find " + db + " --moves \"e4 e5\""});
    CHECK(run({"show", db, "1"}).status == 0);
}

TEST_CASE("Options that other programs call differently are suggested") {
    const std::string& db = samples_database();
    for (const char* const option : {"--json", "--jsonl"}) {
        for (const char* const verb : {"find", "tree", "games", "repeats", "info"}) {
            check_refused(run({verb, db, option}), {option, "--format json"});
        }
    }
    check_refused(run({"games", db, "--csv"}), {"--format csv"});
    check_refused(run({"games", db, "--date", "2004"}), {"--date", "--since and --until"});
    check_refused(run({"games", db, "--lim", "3"}), {"--lim", "'--limit'"});
    check_refused(run({"info", db, "--date", "2004"}), {"--date"});
    check_refused(run({"tree", db, "--lim", "3"}), {"--min-games"});
    check_refused(run({"games", db, "--moves", "e4"}),
                  {"'--moves' (find, tree, evals, evaluate and others have it)"});
    check_refused(run({"info", db, "--keep-damaged"}), {"(import has it)"});
}
