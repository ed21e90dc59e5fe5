// fendex sql: formats, sources of statements, exit statuses; the database is not changed.
#include <sys/stat.h>

#include <filesystem>
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

TEST_CASE("the view games has a rating only if the tag is a number") {
    const TemporaryFile db("my.db");
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

TEST_CASE("fendex sql: the rows of all statements together decide the exit status") {
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

TEST_CASE("fendex sql: an error is one line and changes nothing") {
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
    refused("DELETE FROM game", {"can only read", "'game' is not changed"});
    refused("DROP TABLE game", {"can only read"});
    refused("UPDATE sqlite_master SET sql = ''", {""});
    refused("UPDATE ply SET san = 'x'", {"ply may not be modified"});
    refused("PRAGMA writable_schema = ON; DELETE FROM sqlite_master", {"PRAGMA writable_schema"});
    refused("SELECT load_extension('/nowhere')", {"not authorized", "load_extension"});
    check_refused(run({"sql", packed_database(), "SELECT", "1"}), {"quotation marks"});
    check_refused(run({"sql", "/nowhere.db", "SELECT 1"}), {"no such database"});
    check_refused(run({"sql", packed_database()}, std::string("SELECT 1;\0SELECT 2", 18)), {"NUL"});
    CHECK((read_file(packed_database()) == before));
    // Results before the error are printed.
    const Outcome half = sql("SELECT 1 AS one; SELECT fen_key('x')");
    CHECK(half.status == 2);
    CHECK(half.out == "{\"one\":1}\n");
}

TEST_CASE("fendex sql writes no file, whatever the statement") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    std::filesystem::copy_file(packed_database(), db);
    directory.write("empty.db", "");
    REQUIRE(::mkfifo((directory / "pipe.db").c_str(), 0600) == 0);
    const std::string before = read_file(db);
    const ProcessOptions here{.directory = directory.path()};
    for (const auto& [statement, why] : std::vector<std::pair<std::string, std::string>>{
             {"VACUUM INTO 'new.db'", "'new.db' to attach, and none is written"},
             {"VACUUM INTO 'new' || '.db'", "none is written"},
             {"VACUUM INTO 'empty.db'", "none is written"},
             {"VACUUM", "can only read"},
             {"ATTACH 'new.db' AS a; CREATE TABLE a.t(x)", "no database 'new.db' to attach"},
             {"ATTACH 'file:new.db?mode=rwc' AS a", "none is written"},
             {"ATTACH 'pipe.db' AS a", "pipe.db: is a pipe"},
             {"ATTACH 'my' || '.db' AS a", "as a literal"},
             {"ATTACH 'my.db' AS a; DELETE FROM a.game", "'game' is not changed"},
             {"CREATE TABLE t(x)", "can only read"},
             {"CREATE VIRTUAL TABLE t USING fts5(x)", "can only read"},
             {"ALTER TABLE game RENAME TO games2", "can only read"},
             {"REINDEX", "can only read"},
             {"ANALYZE", "can only read"},
             {"PRAGMA journal_mode = DELETE", "PRAGMA journal_mode is refused"},
             {"PRAGMA user_version = 9", "PRAGMA user_version is refused"},
             {"PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint is refused"},
             {"PRAGMA temp_store_directory = '.'", "is refused"},
             {"SELECT * FROM pragma_optimize", ""}}) {
        INFO(statement);
        check_refused(run({"sql", "my.db", statement}, here), {why});
    }
    CHECK((read_file(db) == before));
    CHECK(read_file(directory / "empty.db").empty());
    CHECK(std::distance(std::filesystem::directory_iterator(directory.path()), {}) == 3);
}

TEST_CASE("fendex sql: statements that read and temporary tables are allowed") {
    const std::string statements =
        "PRAGMA table_info(game); PRAGMA main.user_version; PRAGMA Integrity_Check(1);"
        "PRAGMA cache_size = -1000; SELECT * FROM pragma_table_info('game');"
        "SELECT * FROM json_each('[1]'); EXPLAIN QUERY PLAN SELECT 1; BEGIN; SELECT 1; COMMIT;"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3) SELECT i FROM n;"
        "ATTACH '" +
        samples_database() +
        "' AS other; SELECT count(*) FROM other.games JOIN main.games USING (id); DETACH other;"
        "CREATE TEMP VIEW v AS SELECT id FROM games; SELECT * FROM v; DROP VIEW v;"
        "CREATE TEMP TABLE t(x); CREATE INDEX temp.i ON t(x); INSERT INTO t SELECT id FROM games;"
        "UPDATE t SET x = x + 1; DELETE FROM t WHERE x > 9; ALTER TABLE t RENAME TO u;"
        "SELECT count(*) AS left FROM u";
    const Outcome outcome = sql(statements, "csv");
    CHECK(outcome.err.empty());
    CHECK(outcome.status == 0);
    CHECK_THAT(outcome.out, Catch::Matchers::EndsWith("left\r\n8\r\n"));
}

TEST_CASE("fendex sql: a closed pipe is not an error") {
    const ProcessOptions options{.output = ProcessOptions::Output::kFirstLine};
    CHECK(run({"sql", packed_database(), "SELECT a.fen FROM ply a, ply b LIMIT 3000000", "--format",
               "csv"},
              options)
              .status == 0);
}

TEST_CASE("the view repetition has the same rows as fendex repeats") {
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
