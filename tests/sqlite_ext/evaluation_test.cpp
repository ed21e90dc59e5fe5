// Table evaluation and its functions: signs, mates, several variations, look-ups and scans.
#include <map>
#include <set>

#include "sqlite_ext/fixture.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const std::string kAfterE4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";

/// A game with records of its positions, and one of another variant.
struct Evaluated {
    Evaluated() {
        import_into(
            path,
            {directory.write("game.pgn", "1. e4 e5 2. Nf3 *\n"),
             directory.write("evals.jsonl",
                             R"({"fen":")" + kStart +
                                 R"(","evals":[{"pvs":[{"cp":25,"line":"e2e4 e7e5"}],"knodes":900,)"
                                 R"("depth":50},{"pvs":[{"cp":20,"line":"d2d4"},)"
                                 R"({"cp":12,"line":"e2e4"}],"knodes":100,"depth":40}]})"
                                 "\n"),
             // Black is mated in three, and the score is that of the side to move.
             directory.write("evals.epd", kAfterE4 + " dm -3; acd 30; pv e5 Nf3;\n" + kStart +
                                              " variant atomic; ce 90;\n")});
    }
    TemporaryDirectory directory;
    std::string path = directory / "evaluated.db";
};

}  // namespace

TEST_CASE("evaluation has a row for each variation, the best search first") {
    const Evaluated evaluated;
    Sql sql(evaluated.path);
    const std::string columns = "SELECT search, pv, depth, knodes, cp, mate, uci, san";
    CHECK(sql.rows(columns + " FROM evaluation(" + quoted(kStart) + ")") ==
          std::vector<std::string>{"1|1|50|900|25|NULL|e2e4 e7e5|1.e4 e5",
                                   "2|1|40|100|20|NULL|d2d4|1.d4", "2|2|40|100|12|NULL|e2e4|1.e4"});
    // In any dialect, and with clocks.
    CHECK(sql.rows(columns + " FROM evaluation WHERE fen = " +
                   quoted(kAfterE4.substr(0, kAfterE4.size() - 1) + "e3 4 9")) ==
          std::vector<std::string>{"1|1|30|NULL|NULL|3|e7e5 g1f3|9...e5 10.Nf3"});
    CHECK(sql.value("SELECT cp FROM evaluation(" + quoted(kStart) + ", 'atomic')") == "90");
    CHECK(sql.rows("SELECT * FROM evaluation(NULL)").empty());
    CHECK(sql.rows("SELECT * FROM evaluation('8/8/8/8/8/k7/8/K7 w - -')").empty());
    CHECK_THAT(sql.error("SELECT * FROM evaluation('nonsense')"),
               Contains("nonsense") || Contains("FEN"));
    CHECK_THAT(sql.plan("SELECT cp FROM evaluation WHERE fen = 'x'"), Contains(":fen"));
}

TEST_CASE("evaluation is joined with plies, by key and by EPD") {
    const Evaluated evaluated;
    Sql sql(evaluated.path);
    const std::string best = " WHERE e.search = 1 AND e.pv = 1 ORDER BY p.ply";
    const std::vector<std::string> expected{"0|25|NULL", "1|NULL|3"};
    CHECK(sql.rows("SELECT p.ply, e.cp, e.mate FROM ply p JOIN evaluation e ON e.fen = p.epd" +
                   best) == expected);
    CHECK(sql.rows("SELECT p.ply, e.cp, e.mate FROM ply p JOIN evaluation e ON e.key = p.key AND "
                   "e.epd = p.epd" +
                   best) == expected);
    CHECK_THAT(sql.plan("SELECT 1 FROM ply p JOIN evaluation e ON e.key = p.key"),
               Contains(":key"));
    CHECK(sql.rows("SELECT epd, variant, cp FROM evaluation WHERE variant = 'atomic'") ==
          std::vector<std::string>{kStart + "|atomic|90"});
    CHECK(sql.value("SELECT count(*) FROM evaluation") == "5");
    CHECK(sql.value("SELECT fen FROM evaluation WHERE mate = 3") ==
          kAfterE4.substr(0, kAfterE4.size() - 1) + "- 0 1");
}

TEST_CASE("eval functions give the verdict, also if no table was used before") {
    const Evaluated evaluated;
    Sql sql(evaluated.path);
    CHECK(sql.rows("SELECT ply, evaluation(fen), eval_cp(fen), eval_mate(fen), eval_depth(fen)"
                   " FROM main.ply ORDER BY ply") ==
          std::vector<std::string>{"0|+0.25|25|NULL|50", "1|#3|NULL|3|30", "2|NULL|NULL|NULL|NULL",
                                   "3|NULL|NULL|NULL|NULL"});
    CHECK(sql.value("SELECT eval_cp(" + quoted(kStart) + ", 'atomic')") == "90");
    CHECK(sql.value("SELECT eval_cp(NULL)") == "NULL");
    CHECK(sql.value("SELECT mate FROM tree(" + quoted(kStart) + ")") == "3");
    CHECK(sql.close() == SQLITE_OK);
}

TEST_CASE("A database without records has an empty table evaluation") {
    Sql sql(database_with_rows());
    CHECK(sql.value("SELECT count(*) FROM evaluation") == "0");
    CHECK(sql.value("SELECT eval_cp(" + quoted(kStart) + ")") == "NULL");
}

TEST_CASE("A scan of evaluations has every record once, whatever its key") {
    const TemporaryDirectory directory;
    std::string lines;
    std::set<std::string> epds;
    Sql samples(database_with_rows());
    for (const std::string& epd : samples.rows("SELECT DISTINCT epd FROM main.ply LIMIT 3000")) {
        // Games of variants have pockets and the like.
        if (samples.value("SELECT fen_valid(" + quoted(epd) + ", 'standard')") != "1") continue;
        epds.insert(epd);
        lines += epd + " ce " + std::to_string(epds.size()) + ";\n";
    }
    const std::string path = directory / "scan.db";
    import_into(path, {directory.write("scan.epd", lines)});
    Sql sql(path);
    const auto found = sql.rows("SELECT epd FROM evaluation");
    CHECK(found.size() == epds.size());
    CHECK((std::set(found.begin(), found.end()) == epds));
    CHECK(sql.value("SELECT count(*) FROM evaluation a JOIN evaluation b ON b.key = a.key") ==
          std::to_string(epds.size()));
}
