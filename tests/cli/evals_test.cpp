// Evaluations as users see them: signs, mates, castling, and that none is shown for another
// position.
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const char* const kLines =
    // The start, twice: with one PV deeper, with two less deep.
    R"({"fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -","evals":[)"
    R"({"pvs":[{"cp":25,"line":"e2e4 e7e5"}],"knodes":900,"depth":50},)"
    R"({"pvs":[{"cp":20,"line":"d2d4"},{"cp":12,"line":"e2e4"}],"knodes":100,"depth":40}]})"
    "\n"
    // After 1.e4: a score of Black's view would be -31.
    R"({"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -","evals":[)"
    R"({"pvs":[{"cp":31,"line":"e7e5 g1f3 b8c6 f1b5 g8f6 e1h1"}],"knodes":5000,"depth":62}]})"
    "\n"
    // After 1.d4 Black mates, after 1.c4 White.
    R"({"fen":"rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -","evals":[)"
    R"({"pvs":[{"mate":-4,"line":"g8f6"}],"knodes":1,"depth":10}]})"
    "\n"
    R"({"fen":"rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -","evals":[)"
    R"({"pvs":[{"mate":7,"line":"g8f6"}],"knodes":1,"depth":10}]})"
    "\n"
    // Kings and rooks at home, White without castling rights.
    R"({"fen":"r3k2r/8/8/8/8/8/8/R3K2R w kq -","evals":[)"
    R"({"pvs":[{"cp":-50,"line":"a1a8"}],"knodes":1,"depth":20}]})"
    "\n";

/// The samples with these evaluations.
class Evaluated {
  public:
    Evaluated() : database_(directory_ / "evaluated.db") {
        std::filesystem::copy_file(samples_database(), database_);
        const Outcome imported =
            run({"import", database_, directory_.write("evals.jsonl", kLines), "--quiet"});
        REQUIRE(imported.status == 0);
    }
    Outcome ask(Words words) const {
        words.insert(words.begin() + 1, database_);
        return run(words);
    }
    Json json(Words words) const {
        words.insert(words.end(), {"--format", "json"});
        return json_lines(ask(std::move(words)).out).at(0);
    }
    const std::string& database() const { return database_; }

  private:
    TemporaryDirectory directory_;
    std::string database_;
};

}  // namespace

TEST_CASE("evals shows White's view, the best search first, and castling as king takes rook") {
    const Evaluated evaluated;
    CHECK(evaluated.json({"evals", "--moves", "1.e4"}).dump() ==
          R"({"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",)"
          R"("depth":62,"knodes":5000,"pvs":[{"cp":31,)"
          R"("uci":"e7e5 g1f3 b8c6 f1b5 g8f6 e1h1",)"
          R"("san":"1...e5 2.Nf3 Nc6 3.Bb5 Nf6 4.O-O"}],"others":[]})");
    const Json start = evaluated.json({"evals"});
    CHECK(start["depth"] == 50);
    CHECK(start["pvs"].size() == 1);
    CHECK(start["others"][0]["depth"] == 40);
    CHECK(start["others"][0]["pvs"].size() == 2);
    CHECK_THAT(evaluated.ask({"evals", "--moves", "1.e4"}).out,
               Contains("depth 62, 5,000 thousand nodes\n  +0.31  1...e5 2.Nf3"));
    CHECK_THAT(evaluated.ask({"evals", "--moves", "1.d4"}).out, Contains(" #-4  1...Nf6"));
}

TEST_CASE("An evaluation is never shown for another position") {
    const Evaluated evaluated;
    const char* const rights[] = {"kq", "KQkq", "-", "k"};
    for (const char* const each : rights) {
        const std::string fen = std::string("r3k2r/8/8/8/8/8/8/R3K2R w ") + each + " - 0 1";
        CHECK(evaluated.ask({"evals", fen}).status == (each == rights[0] ? 0 : 1));
    }
    // The side to move; and no legal en passant capture is no other position.
    CHECK(evaluated.ask({"evals", "r3k2r/8/8/8/8/8/8/R3K2R b kq - 0 1"}).status == 1);
    CHECK(evaluated.ask({"evals", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 5 9"})
              .status == 0);
    CHECK(evaluated.ask({"evals", "--variant", "kingofthehill"}).status == 1);
    const Json none = evaluated.json({"evals", "--moves", "1.h4"});
    CHECK(none["depth"].is_null());
    CHECK(none["pvs"].empty());
}

TEST_CASE("tree has the evaluation after each move, and can sort by it") {
    const Evaluated evaluated;
    const Json tree = evaluated.json({"tree"});
    std::map<std::string, Json> evals;
    for (const Json& move : tree["moves"]) evals[move["san"]] = move["eval"];
    CHECK(evals["e4"].dump() == R"({"cp":31,"depth":62})");
    CHECK(evals["d4"].dump() == R"({"mate":-4,"depth":10})");
    CHECK(evals["Nf3"].is_null());
    const auto order = [&](const Words& words) {
        Words sans;
        const Json sorted = evaluated.json(words);
        for (const Json& move : sorted["moves"]) sans.push_back(move["san"]);
        return sans;
    };
    const Words white = order({"tree", "--sort", "eval"});
    REQUIRE(white.size() > 4);
    CHECK(white[0] == "c4");
    CHECK(white[1] == "e4");
    CHECK(white[2] == "d4");
    CHECK(order({"tree"})[0] == "e4");
    CHECK_THAT(evaluated.ask({"tree"}).out,
               Contains("eval") && Contains("+0.31") && Contains("#-4"));
    CHECK_THAT(evaluated.ask({"tree", "--format", "csv"}).out,
               Contains("King's Pawn Game,31,,62\r") && Contains("Queen's Pawn Game,,-4,10\r"));
    // Without records the table has no such column.
    CHECK(run({"tree", samples_database()}).out.find("eval") == std::string::npos);
}

TEST_CASE("Evaluations of several databases are taken together") {
    const Evaluated evaluated;
    const Outcome both = run({"evals", samples_database(), evaluated.database()});
    CHECK(both.status == 0);
    CHECK_THAT(both.out, Contains("+0.25  1.e4 e5"));
    const auto trees =
        json_lines(run({"tree", samples_database(), evaluated.database(), "--format", "json"}).out);
    CHECK(trees.at(0)["moves"][0]["eval"]["cp"] == 31);
}

TEST_CASE("show has what records say of the position after each move") {
    const Evaluated evaluated;
    std::map<std::string, Json> evals;
    const auto games =
        json_lines(run({"show", evaluated.database(), "1-200", "--format", "json"}).out);
    for (const Json& game : games) {
        if (game["record_evals"].is_null()) continue;
        REQUIRE(game["record_evals"].size() == game["moves"].size());
        evals[game["moves"][0]] = game["record_evals"];
    }
    CHECK(evals.at("e4")[0].dump() == R"({"cp":31,"depth":62})");
    CHECK(evals.at("e4")[1].is_null());
    CHECK(evals.at("d4")[0].dump() == R"({"mate":-4,"depth":10})");
    CHECK(evals.at("c4")[0].dump() == R"({"mate":7,"depth":10})");
    CHECK(evals.count("Nf3") == 0);
    const auto without = json_lines(run({"show", samples_database(), "1", "--format", "json"}).out);
    CHECK(without.at(0)["record_evals"].is_null());
}

TEST_CASE("Rows of plies have a game's own evaluations, or else those of records") {
    const Evaluated evaluated;
    const TemporaryDirectory directory;
    const std::string game = directory.write(
        "game.pgn",
        "[White \"Own\"]\n\n1. e4 {[%eval 0.4,18]} e5 {[%eval 0.9]} 2. f4 {[%eval #-2]} *\n\n"
        "[White \"Records\"]\n\n1. e4 *\n");
    REQUIRE(run({"import", evaluated.database(), game, "--annotations", "--quiet"}).status == 0);
    const auto rows = [&](const char* white) {
        return run({"export", evaluated.database(), "--white", white, "--rows", "plies", "--format",
                    "csv", "--columns", "san,eval,mate,depth,swing,best", "--no-header"})
            .out;
    };
    // Black lost 50 by 1...e5, and White by 2.f4 what there is between 0.9 pawns and a mate.
    CHECK(rows("Own") == ",0.25,,50,,\r\ne4,0.4,,18,,e4\r\ne5,0.9,,,50,e5\r\nf4,,-2,,1090,\r\n");
    CHECK(rows("Records") == ",0.25,,50,,\r\ne4,0.31,,62,0,e4\r\n");
    const auto games =
        json_lines(evaluated.ask({"games", "--white", "Own", "--format", "json"}).out);
    const auto own = json_lines(
        evaluated.ask({"show", games.at(0)["game_id"].dump(), "--plies", "--format", "json"}).out);
    CHECK(own.at(1)["eval"] == 0.4);
    CHECK(own.at(1)["depth"] == 18);
    CHECK(own.at(3)["mate"] == -2);
    const auto plies = json_lines(evaluated.ask({"show", "1", "--plies", "--format", "json"}).out);
    CHECK(plies.at(1)["eval"] == 0.31);
    CHECK(plies.at(1)["depth"] == 62);
    CHECK_THAT(evaluated.ask({"show", "1", "--plies"}).out, Contains("0.31"));
}

TEST_CASE("find shows the record of a position below its games") {
    const Evaluated evaluated;
    const std::string found = evaluated.ask({"find", "--moves", "1.d4"}).out;
    CHECK_THAT(found, Contains("depth 10, 1 thousand nodes\n    #-4  1...Nf6\n"));
    CHECK(found.find("game_id") < found.find("depth 10"));
    // Programs get the rows of before, and so does who asks about several positions.
    for (const char* const format : {"json", "csv", "pgn"}) {
        CHECK((evaluated.ask({"find", "--moves", "1.d4", "--format", format}).out ==
               run({"find", samples_database(), "--moves", "1.d4", "--format", format}).out));
    }
    CHECK(evaluated.ask({"find", "--moves", "1.d4", "--moves", "1.e4"}).out.find("depth") ==
          std::string::npos);
    CHECK(evaluated.ask({"find", "--moves", "1.h4"}).out.find("depth") == std::string::npos);
}

namespace {

/// Two games, a third one that leaves them, and EPD, whose scores are of the side to move: Black
/// after 2.Ke2 and 2.Nf3.
struct Novelties {
    Novelties() {
        const std::string known = directory.write(
            "known.pgn",
            "[White \"Ames, A\"]\n[Black \"X\"]\n[Date \"1990.01.01\"]\n[Result \"0-1\"]\n\n"
            "1. e4 e5 2. Nf3 0-1\n\n"
            "[White \"B\"]\n[Black \"Y\"]\n[Date \"1990.01.02\"]\n\n1. e4 e5 2. Bc4 *\n");
        const std::string records = directory.write(
            "records.epd",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - ce 25; acd 40; pv Nf3;\n"
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - ce 120; acd 30; pv Nf6;\n"
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - dm 3; acd 20; pv Nc6;\n");
        REQUIRE(run({"import", database, known, records, "--quiet"}).status == 0);
    }
    TemporaryDirectory directory;
    std::string database = directory / "known.db";
};

}  // namespace

TEST_CASE("record_evals has an element for each move") {
    const Novelties novelties;
    const auto game = json_lines(run({"show", novelties.database, "1", "--format", "json"}).out);
    CHECK(game.at(0)["record_evals"].dump() ==
          R"([null,{"cp":25,"depth":40},{"mate":-3,"depth":20}])");
}

TEST_CASE("novelty has evaluations of what was known and of what was new") {
    const Novelties novelties;
    const std::string game = novelties.directory.write(
        "new.pgn", "[White \"C\"]\n[Date \"2000.01.01\"]\n\n1. e4 e5 2. Ke2 Ke7 *\n");
    const auto ask = [&](const char* format) {
        return run({"novelty", novelties.database, game, "--format", format}).out;
    };
    const Json json = json_lines(ask("json")).at(0);
    CHECK(json["eval"].dump() == R"({"cp":25,"depth":40})");
    CHECK(json["novelty"]["eval"].dump() == R"({"cp":-120,"depth":30})");
    REQUIRE(json["played"][0]["san"] == "Nf3");
    CHECK(json["played"][0]["eval"].dump() == R"({"mate":-3,"depth":20})");
    CHECK(json["played"][1]["eval"].is_null());
    CHECK_THAT(ask("csv"),
               Contains("played,cp,mate,depth,novelty_cp,novelty_mate,novelty_depth\r") &&
                   Contains(",25,,40,-120,,30\r"));
    CHECK_THAT(ask("table"), Contains("+0.25") && Contains("-1.20"));
}

TEST_CASE("prepare has evaluations of the moves of the repertoire") {
    Novelties novelties;
    // A move of the repertoire needs two games.
    const std::string again = novelties.directory.write(
        "again.pgn",
        "[White \"Ames, A\"]\n[Black \"Z\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Nf3 0-1\n");
    REQUIRE(run({"import", novelties.database, again, "--quiet"}).status == 0);
    const Words words{"prepare", novelties.database, "Ames", "--color", "white"};
    const auto ask = [&](Words more) {
        more.insert(more.begin(), words.begin(), words.end());
        return run(more).out;
    };
    std::map<std::string, Json> evals;
    const Json json = json_lines(ask({"--format", "json"})).at(0);
    for (const Json& move : json["repertoire"]) evals[move["san"]] = move["eval"];
    CHECK(evals.at("e4").is_null());
    CHECK(evals.at("e5").dump() == R"({"cp":25,"depth":40})");
    CHECK(evals.at("Nf3").dump() == R"({"mate":-3,"depth":20})");
    CHECK_THAT(ask({}), Contains("eval") && Contains("+0.25") && Contains("#-3"));
    const std::string page = novelties.directory / "page.html";
    REQUIRE(ask({"-o", page}).empty());
    CHECK_THAT(read_file(page), Contains(">eval<") && Contains(">#-3<"));
}

TEST_CASE("repeats --missed has the evaluation of the position") {
    const TemporaryDirectory directory;
    const std::string database = directory / "repetitions.db";
    const auto ask = [&](const char* format) {
        return run({"repeats", database, "--missed", "--format", format}).out;
    };
    REQUIRE(run({"import", database, FENDEX_SAMPLES "/repetitions.pgn", "--quiet"}).status == 0);
    const auto before = json_lines(ask("json"));
    std::string lines;
    std::map<std::string, std::string> expected;
    for (const Json& row : before) {
        CHECK(row["cp"].is_null());
        const std::string fen = row["fen"];
        const bool black = fen.find(" b ") != fen.npos;
        // EPD's scores are of the side to move.
        const std::string epd = fen.substr(0, fen.rfind(' ', fen.rfind(' ') - 1));
        lines += epd + (black ? " ce 320; acd 7;\n" : " dm -2; acd 8;\n");
        expected[row["key"]] = black ? "-320 null 7" : "null -2 8";
    }
    CHECK(expected.size() > 2);
    REQUIRE(run({"import", database, directory.write("missed.epd", lines), "--quiet"}).status == 0);
    const auto after = json_lines(ask("json"));
    REQUIRE(after.size() == before.size());
    int black = 0;
    for (const Json& row : after) {
        const std::string found =
            row["cp"].dump() + ' ' + row["mate"].dump() + ' ' + row["depth"].dump();
        CHECK(found == expected.at(row["key"]));
        black += row["cp"].is_null() ? 0 : 1;
    }
    CHECK(black > 0);
    CHECK(black < static_cast<int>(after.size()));
    CHECK_THAT(ask("csv"), Contains(",cp,mate,depth\r") && Contains(",-320,,7\r"));
    CHECK_THAT(ask("table"), Contains("-320"));
}

TEST_CASE(
    "find --eval keeps hits by the evaluation of their position, --swing games by their worst "
    "move") {
    const Evaluated evaluated;
    const auto count = [&](const char* eval) {
        return evaluated.json({"find", "--moves", "1.d4", "--eval", eval, "--count"})["games"];
    };
    const Json all = evaluated.json({"find", "--moves", "1.d4", "--count"})["games"];
    CHECK(all > 0);
    CHECK(count("#-4") == all);
    CHECK(count("..-1000") == all);
    CHECK(count("-50..50") == 0);
    CHECK(evaluated.ask({"find", "--moves", "1.d4", "--eval=-50..50"}).status == 1);
    // From +0.25 to a mate in four, by records: the game with comments has its own evaluations.
    const Outcome lost = evaluated.ask({"games", "--white-swing", "1025", "--format", "csv"});
    CHECK(lost.status == 0);
    CHECK(json_lines(evaluated
                         .ask({"find", "--moves", "1.d4", "--white-swing", "1025", "--format",
                               "json", "--limit", "1000"})
                         .out)
              .size() > 0);
    CHECK(evaluated.ask({"find", "--moves", "1.d4", "--white-swing", "1026"}).status == 1);
    CHECK(evaluated.ask({"find", "--moves", "1.e4", "--white-swing", "1000"}).status == 1);

    const auto refused = [&](const Words& words, const char* message) {
        const Outcome outcome = evaluated.ask(words);
        CHECK(outcome.status == 2);
        CHECK_THAT(outcome.err, Contains(message));
    };
    refused({"find", "--eval", "1..2"}, "which position?");
    refused({"find", "--moves", "1.d4", "--eval", "50-60"}, "write -50..50, 150.., ..-150");
    refused({"find", "--moves", "1.d4", "--eval", "#1..#5"}, "#1 is better than #5");
    refused({"games", "--eval", "1"}, "there is no option '--eval'");
    refused({"games", "--swing", "2001"}, "no move loses 2001 centipawns");
}

TEST_CASE("info --sources has the number of records of a source that has them") {
    const Evaluated evaluated;
    const std::vector<Json> sources =
        json_lines(evaluated.ask({"info", "--sources", "--format", "json"}).out);
    REQUIRE(sources.size() > 1);
    CHECK(sources.front()["records"].is_null());
    CHECK(sources.back()["records"] == 5);
}
