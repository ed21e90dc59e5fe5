// Table `annotation_ply` compared with the annotations in the PGN.
#include "sqlite_ext/annotation_table.hpp"

#include "query/annotated_plies.hpp"
#include "sqlite_ext/fixture.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;

std::string annotated_database(const TemporaryDirectory& directory, const std::string& pgn) {
    const std::string path = directory.path() + "/annotated.db";
    ingest::import_files(path, {directory.write("a.pgn", pgn)}, {.annotations = true});
    return path;
}

constexpr char kGames[] =
    "[Event \"a\"]\n\n{before} 1. e4! { [%eval 0.17] [%clk 0:00:30] } e5 $14 $3 {x} {y} (1... c5?? "
    "{in "
    "[%clk 0:00:01]} 2. Nf3) +0.35 2. Nf3 {[%eval #-3] [%clk 1:00:29.5]} Nc6 3. Bb5 a6 {[%eval "
    "-1.5,20] [%emt 0:00:05]} 1-0\n\n"
    "[Event \"b\"]\n\n1. d4 d5 1-0\n\n"
    "[Event \"c\"]\n\n1. d4 {[%emt 2.25] [%clk 5:03]} d5 {[%clk x] [%eval ] [%clkx 1] [%eval #]} "
    "1-0\n\n";

}  // namespace

TEST_CASE("annotations are rows by game and ply") {
    const TemporaryDirectory directory;
    Sql sql(annotated_database(directory, kGames));
    CHECK(
        sql.rows("SELECT * FROM annotation_ply") ==
        std::vector<std::string>{
            "1|0|NULL|before|NULL|NULL|NULL|NULL|NULL",
            "1|1|[1]| [%eval 0.17] [%clk 0:00:30] |0.17|NULL|30|NULL|NULL",
            "1|2|[14,3,\"+0.35\"]|x\ny|NULL|NULL|NULL|NULL|(1... c5?? {in [%clk 0:00:01]} 2. Nf3)",
            "1|3|NULL|[%eval #-3] [%clk 1:00:29.5]|NULL|-3|3629.5|NULL|NULL",
            "1|6|NULL|[%eval -1.5,20] [%emt 0:00:05]|-1.5|NULL|NULL|5|NULL",
            "3|1|NULL|[%emt 2.25] [%clk 5:03]|NULL|NULL|303|2.25|NULL",
            "3|2|NULL|[%clk x] [%eval ] [%clkx 1] [%eval #]|NULL|NULL|NULL|NULL|NULL"});
    CHECK(sql.rows("SELECT ply FROM annotation_ply WHERE game_id = 3") ==
          std::vector<std::string>{"1", "2"});
    CHECK(sql.rows("SELECT ply FROM annotation_ply WHERE game_id = 2").empty());
    CHECK(sql.value("SELECT count(*) FROM annotation_ply WHERE game_id > 1 AND game_id <= 3") ==
          "2");
    CHECK(sql.value("SELECT count(*) FROM annotation_ply WHERE game_id IN (1, 3) AND ply = 1") ==
          "2");
    CHECK(sql.value("SELECT count(*) FROM annotation_ply a JOIN annotation_ply b"
                    " ON b.game_id = a.game_id AND b.ply = a.ply - 1") == "4");
    CHECK(sql.rows("SELECT ply FROM annotation_ply, json_each(nags) WHERE value = 3") ==
          std::vector<std::string>{"2"});
    CHECK(sql.rows("SELECT game_id FROM annotation_ply WHERE game_id = 'x'").empty());
    CHECK(sql.rows("SELECT DISTINCT game_id FROM annotation_ply ORDER BY game_id DESC") ==
          std::vector<std::string>{"3", "1"});
}

TEST_CASE("annotations of many games come in order, whatever games are selected") {
    const TemporaryDirectory directory;
    std::string pgn;
    for (int game = 1; game <= 1500; ++game) {
        pgn += "[Event \"x\"]\n\n1. e4 " +
               (game % 3 == 0 ? "" : "{[%clk 0:00:" + std::to_string(10 + game % 50) + "]} ") +
               "*\n\n";
    }
    Sql sql(annotated_database(directory, pgn));
    CHECK(sql.value("SELECT count(*) FROM annotation_ply") == "1000");
    CHECK(sql.value("SELECT sum(clk = 10 + game_id % 50) FROM annotation_ply") == "1000");
    CHECK(
        sql.value(
            "SELECT group_concat(game_id) = (SELECT group_concat(game_id) FROM (SELECT game_id FROM"
            " annotation_ply ORDER BY game_id)) FROM annotation_ply") == "1");
    for (const int from : {1, 2, 3, 700, 1499, 1500, 1501}) {
        const std::string expected =
            sql.value("SELECT count(*) FROM game WHERE id % 3 AND id >= " + std::to_string(from));
        CHECK(sql.value("SELECT count(*) FROM annotation_ply WHERE game_id >= " +
                        std::to_string(from)) == expected);
    }
}

TEST_CASE("a damaged annotation is an error that names its game") {
    const TemporaryDirectory directory;
    const std::string path = annotated_database(directory, kGames);
    {
        Sql writer(path, SQLITE_OPEN_READWRITE);
        writer.rows("UPDATE main.annotation SET data = x'0020' WHERE game_id = 3");
    }
    Sql sql(path);
    CHECK(sql.value("SELECT count(*) FROM annotation_ply WHERE game_id = 1") == "5");
    CHECK_THAT(sql.error("SELECT * FROM annotation_ply"), Contains("game 3"));
}
