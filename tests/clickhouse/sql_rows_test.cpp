// SQL on a cluster: values as they are printed, what is refused, and the views.
#include "clickhouse/sql_rows.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "clickhouse/program.hpp"
#include "clickhouse/pushing.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

Outcome sql(const TestDatabase& database, const std::string& statement,
            const std::string& format = "json") {
    return run({"sql", database.url(), statement, "--format", format});
}

/// Games with and without what the view shows.
std::string various_games() {
    return "[White \"A\"]\n[Black \"B, \\\"C\\\"\"]\n[Event \"\tX\"]\n[Site \"S\"]\n"
           "[Date \"1999.12.??\"]\n[Round \"2.1\"]\n[WhiteElo \"2400\"]\n[ECO \"C20\"]\n"
           "[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"
           "[Date \"0999.??.??\"]\n[Result \"*\"]\n\n1. d4 *\n\n"
           "[White \"\u041A\u0430\u0440\u043F\u043E\u0432\"]\n[BlackElo \"1800\"]\n"
           "[Result \"1/2-1/2\"]\n\n*\n\n"
           "[Variant \"Chess960\"]\n[SetUp \"1\"]\n"
           "[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n"
           "[Date \"2020.01.02\"]\n[Result \"0-1\"]\n\n9. e4 0-1\n\n"
           "[Variant \"Atomic\"]\n[Date \"2021.11.30\"]\n\n1. e4 *\n\n";
}

}  // namespace

TEST_CASE("SQL prints what ClickHouse answers", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    CHECK_THAT(sql(database, "SELECT 1").err, Contains("has no tables of fendex"));
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("games.pgn", various_games())});
    push_file(file, database);

    CHECK(sql(database,
              "SELECT toUInt64(18446744073709551615) AS big, toInt64(-3) AS less, 0.5 AS half, "
              "NULL AS nothing, 'a\\tb\\nc\\\\d\\'e\\0' AS text, [1, 2] AS list, '' AS empty, "
              "'\\\\N' AS slash, 1 / 0 AS endless, toNullable(toUInt8(7)) AS seven\n -- the end")
              .out ==
          "{\"big\":\"18446744073709551615\",\"less\":-3,\"half\":0.5,"
          "\"nothing\":null,\"text\":\"a\\u0009b\\u000ac\\\\d'e\\u0000\",\"list\":\"[1,2]\","
          "\"empty\":\"\",\"slash\":\"\\\\N\",\"endless\":\"inf\",\"seven\":7}\n");
    CHECK(sql(database, "SELECT 1 AS one, 'a,b' AS \"two words\" ;\n", "csv").out ==
          "one,two words\r\n1,\"a,b\"\r\n");
    const Outcome none = sql(database, "SELECT id FROM games WHERE id = 0", "csv");
    CHECK(none.status == 1);
    CHECK(none.out == "id\r\n");
    const std::string many =
        sql(database, "SELECT number FROM system.numbers LIMIT 100000", "csv").out;
    CHECK(std::count(many.begin(), many.end(), '\n') == 100'001);

    for (const std::string statement :
         {"DROP TABLE game", "TRUNCATE TABLE game_shard", "INSERT INTO name VALUES (1, 1, 'x')",
          "SELECT 1 FORMAT JSON", "SELECT nothing FROM game", "SELEC", ""}) {
        INFO(statement);
        const Outcome refused = sql(database, statement);
        CHECK(refused.status == 2);
        CHECK(refused.out.empty());
        CHECK(std::count(refused.err.begin(), refused.err.end(), '\n') == 1);
    }
    CHECK(sql(database, "SELECT count() AS n FROM games").out == "{\"n\":5}\n");
}

TEST_CASE("The view games of a cluster has the games of the file's view", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const auto check_same = [&] {
        const std::string question =
            "SELECT id, white, black, event, site, date, round, result, white_elo, black_elo, eco, "
            "plies, variant, fen, opening_eco, opening FROM games ORDER BY id";
        const Outcome of_file = run({"sql", file, question, "--format", "csv"});
        CHECK(of_file.status == 0);
        const Outcome of_cluster = sql(database, question, "csv");
        INFO(of_cluster.err);
        CHECK(of_cluster.out == of_file.out);
    };
    import_into(file, {folder.write("games.pgn", various_games() + short_games(30))});
    push_file(file, database);
    check_same();
    // Games are taken back and added, and a push that is not complete does not count.
    must_run({"delete", file, "--games", "2,8", "--quiet"});
    import_into(file, {folder.write("more.pgn", short_games(3))});
    push_file(file, database);
    check_same();
    fendex::clickhouse::Connection connection = database.connect();
    connection.run("INSERT INTO game (push, id) VALUES (400000, 77)");
    check_same();
    // All is sent again.
    push_file(file, database, [](auto& options) { options.replace = true; });
    check_same();
}
