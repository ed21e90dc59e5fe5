// fendex sql: formats, sources of statements, exit statuses; the database is not changed.
#include <set>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string& packed_database() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        const std::string db = directory / "packed.db";
        REQUIRE(run({"import", db, kSamples, "--ply-rows", "no"}).status == 0);
        return db;
    }();
    return path;
}

Outcome sql(const std::string& query, const std::string& format = "json") {
    return run({"sql", packed_database(), query, "--format", format});
}

}  // namespace

TEST_CASE("fendex sql answers as sqlite3 does on stored rows") {
    for (const char* query :
         {"SELECT * FROM ply ORDER BY game_id, ply", "SELECT * FROM games ORDER BY id",
          "SELECT white, count(*) AS n, avg(white_elo) AS elo FROM game GROUP BY white ORDER BY "
          "1"}) {
        INFO(query);
        const Outcome outcome = sql(query);
        CHECK(outcome.status == 0);
        CHECK(outcome.err.empty());
        CHECK((json_lines(outcome.out) == sqlite3_rows(samples_database(), query)));
    }
}

TEST_CASE("the view games has ratings only where they are numbers") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const auto game = [](const std::string& white, const std::string& black) {
        return "[WhiteElo \"" + white + "\"]\n[BlackElo \"" + black + "\"]\n\n1.e4 *\n\n";
    };
    REQUIRE(
        run({"import", db, "-"}, game("2500", "") + game("?", "2300?") + "[White \"a\"]\n\n1.d4 *")
            .status == 0);
    // Texts are greater than every number.
    CHECK(sqlite3_rows(db, "SELECT id FROM games WHERE white_elo > 2400 OR black_elo > 2400") ==
          std::vector<Json>{{{"id", 1}}});
    CHECK(sqlite3_rows(db, "SELECT white_elo AS w, black_elo AS b FROM games") ==
          std::vector<Json>{Json{{"w", 2500}, {"b", nullptr}}, Json{{"w", nullptr}, {"b", nullptr}},
                            Json{{"w", nullptr}, {"b", nullptr}}});
    // The tags are kept exactly.
    CHECK_THAT(run({"show", db, "2"}).out, Contains("2300?"));
}

TEST_CASE("fendex sql writes every kind of value in every format") {
    const std::string query =
        "SELECT 1 AS n, -2.5 AS x, 'a,\"b' AS \"te\"\"xt\", NULL AS \"no,thing\", x'00FF' AS b,"
        " 1e999 AS inf, 9223372036854775807 AS big, char(27) AS esc";
    CHECK(sql(query).out == R"({"n":1,"x":-2.5,"te\"xt":"a,\"b","no,thing":null,"b":"00ff",)"
                            R"("inf":null,"big":9223372036854775807,"esc":"\u001b"})"
                            "\n");
    CHECK(sql(query, "csv").out ==
          "n,x,\"te\"\"xt\",\"no,thing\",b,inf,big,esc\r\n"
          "1,-2.5,\"a,\"\"b\",,00ff,inf,9223372036854775807,\\x1b\r\n");
    const Outcome table = run({"sql", packed_database(), "SELECT 5 AS five, 'abc' AS word"});
    CHECK(table.out == "five  word\n   5  abc\n");
    const std::string fen = sql("SELECT max(fen) AS fen FROM ply", "table").out;
    CHECK(fen.find("\xE2\x80\xA6") == std::string::npos);  // not cut
}

TEST_CASE("fendex sql: many statements, from standard input too: what is found is the status") {
    CHECK(run({"sql", packed_database()}, "SELECT 1;\n-- a comment\nSELECT 2 AS two;").out ==
          "1\n1\ntwo\n  2\n");
    CHECK(sql("SELECT 1 WHERE 0").status == 1);
    CHECK(sql("SELECT 1 WHERE 0; SELECT 1").status == 0);
    CHECK(sql("CREATE TEMP TABLE t(x); DROP TABLE t").status == 0);
    CHECK(sql("CREATE TEMP TABLE t AS SELECT ply FROM ply WHERE game_id = 1; SELECT 1 FROM t"
              " WHERE ply < 0")
              .status == 1);
    CHECK(sql("").status == 0);
    CHECK(sql("SELECT san FROM tree('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -')"
              " LIMIT 1",
              "csv")
              .out == "san\r\ne4\r\n");
    CHECK(json_lines(sql("SELECT count, claimant FROM repetition WHERE third_ply NOTNULL").out)
              .size() > 3);
}

TEST_CASE("fendex sql: what is wrong is one line, and nothing is changed") {
    const std::string before = read_file(packed_database());
    const auto refused = [&](const std::string& query, const Words& words) {
        INFO(query);
        check_refused(sql(query), words);
    };
    refused("SELEC 1", {"syntax error"});
    refused("SELECT 'a", {"unrecognized token"});
    refused("SELECT * FROM nowhere", {"no such table: nowhere"});
    refused("SELECT fen_key('8/8')", {"FEN, placement"});
    refused("SELECT * FROM reached('x')", {"FEN, placement"});
    refused("DELETE FROM game", {"readonly"});
    refused("DROP TABLE game", {""});
    refused("UPDATE ply SET san = 'x'", {"ply may not be modified"});
    refused("PRAGMA writable_schema = ON; DELETE FROM sqlite_master", {""});
    refused("SELECT load_extension('/nowhere')", {"not authorized"});
    refused("ATTACH '/nowhere/at/all.db' AS other", {"unable to open"});
    check_refused(run({"sql", packed_database(), "SELECT", "1"}), {"quote it"});
    check_refused(run({"sql", "/nowhere.db", "SELECT 1"}), {"no such database"});
    check_refused(run({"sql", packed_database()}, std::string("SELECT 1;\0SELECT 2", 18)), {"NUL"});
    CHECK((read_file(packed_database()) == before));
    // Results before the error are printed.
    const Outcome half = sql("SELECT 1 AS one; SELECT fen_key('x')");
    CHECK(half.status == 2);
    CHECK(half.out == "{\"one\":1}\n");
}

TEST_CASE("fendex sql: whoever reads may go away") {
    ProcessOptions options;
    options.output = ProcessOptions::Output::kFirstLine;
    CHECK(run({"sql", packed_database(), "SELECT a.fen FROM ply a, ply b LIMIT 3000000", "--format",
               "csv"},
              options)
              .status == 0);
}

TEST_CASE("repetition in SQL says what fendex repeats says") {
    const Words names{"game_id",   "key",       "fen",       "count",  "plies",
                      "third_ply", "fifth_ply", "played_on", "result", "claimant"};
    std::multiset<std::string> listed;
    for (const Json& row :
         json_lines(run({"repeats", packed_database(), "--format", "json"}).out)) {
        Json same;
        for (const std::string& name : names) same[name] = row.at(name);
        listed.insert(same.dump());
    }
    std::multiset<std::string> selected;
    for (Json row : json_lines(sql("SELECT game_id, printf('%016x', key) AS key, fen, count, plies,"
                                   " third_ply, fifth_ply, played_on, result, claimant"
                                   " FROM repetition WHERE third_ply NOTNULL")
                                   .out)) {
        row["plies"] = Json::parse(row["plies"].get<std::string>());
        selected.insert(row.dump());
    }
    CHECK(listed.size() > 20);
    CHECK(selected == listed);
}
