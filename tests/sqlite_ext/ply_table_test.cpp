// The virtual table `ply` compared with the ply rows that an import of the same games stored.
#include "sqlite_ext/ply_table.hpp"

#include <random>

#include "base/hex.hpp"
#include "chess/fen.hpp"
#include "query/position_search.hpp"
#include "sqlite_ext/fixture.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;

/// Returns the query for stored rows, which the virtual table `ply` hides.
std::string of_stored(std::string question) {
    const std::string from = "FROM ply";
    for (std::size_t at = 0; (at = question.find(from, at)) != std::string::npos; ++at) {
        question.replace(at, from.size(), "FROM main.ply");
    }
    return question;
}

/// Runs a query on both databases and compares the rows; returns how many there are.
std::size_t check_equal(Sql& stored, Sql& packed, const std::string& question) {
    const std::vector<std::string> expected = stored.rows(of_stored(question));
    const std::vector<std::string> answer = packed.rows(question);
    INFO(question);
    CHECK(answer.size() == expected.size());
    CHECK((answer == expected));
    return expected.size();
}

}  // namespace

TEST_CASE("virtual ply rows are the stored ones, in their order") {
    Sql stored(database_with_rows());
    Sql packed(database_without_rows());
    REQUIRE(stored.value("SELECT type FROM sqlite_master WHERE name = 'ply'") == "table");
    REQUIRE(packed.rows("SELECT type FROM sqlite_master WHERE name = 'ply'").empty());
    CHECK(check_equal(stored, packed, "SELECT * FROM ply") == 8908 + 113);
    check_equal(stored, packed, "SELECT * FROM ply ORDER BY game_id, ply");
    check_equal(stored, packed, "SELECT count(*), count(san), total(key), max(fen) FROM ply");
    check_equal(stored, packed, "SELECT game_id, count(*), max(ply) FROM ply GROUP BY game_id");
    check_equal(stored, packed, "SELECT name FROM pragma_table_info('ply')");
    check_equal(stored, packed, "SELECT name, type FROM pragma_table_info('ply')");
}

TEST_CASE("stored ply rows are found through the index of positions and readable as main.ply") {
    Sql stored(database_with_rows());
    for (const char* const column : {"key", "epd", "fen"}) {
        const std::string value = stored.value("SELECT quote(" + std::string(column) +
                                               ") FROM main.ply WHERE game_id = 20 AND ply = 1");
        const std::string question =
            "SELECT * FROM ply WHERE " + std::string(column) + " = " + value;
        CHECK_THAT(stored.plan(question), Contains("VIRTUAL TABLE INDEX") && Contains(column));
        CHECK_FALSE(stored.rows(question).empty());
        CHECK(stored.rows(question) == stored.rows(of_stored(question)));
    }
    CHECK_THAT(stored.plan("SELECT * FROM main.ply WHERE game_id = 1"), Contains("PRIMARY KEY"));
    CHECK(stored.close() == SQLITE_OK);

    // It must not be created in a stored schema, which other programs read.
    const TemporaryFile db("games.db");
    import_into(db, {db.write_beside("one.pgn", "1. e4 e5 *\n\n")}, ingest::PlyRowChoice::kYes);
    Sql writer(db, SQLITE_OPEN_READWRITE);
    CHECK_THAT(writer.error("CREATE VIRTUAL TABLE main.x USING temporary_ply"),
               Contains("can only make tables in schema temp"));
    CHECK(writer.value("SELECT count(*) FROM ply") == "3");
}

TEST_CASE("a table `ply` of another program is left alone") {
    const TemporaryFile path("other.db");
    REQUIRE(
        run_process({"sqlite3", path, "CREATE TABLE ply(x); INSERT INTO ply VALUES (7)"}).status ==
        0);
    Sql sql(path);
    CHECK(sql.value("SELECT x FROM ply") == "7");
}

TEST_CASE("conditions on virtual ply rows find the same as a scan of the stored ones") {
    Sql stored(database_with_rows());
    Sql packed(database_without_rows());
    std::mt19937_64 random(11);
    const auto sample = [&](const std::string& column) {
        // One of the existing values; now and then a frequent one.
        const std::string where = random() % 3 == 0 ? " WHERE ply < 6" : "";
        const std::string from = "FROM ply" + where;
        const auto count = std::stoull(stored.value("SELECT count(*) " + from));
        return stored.value("SELECT quote(" + column + ") " + from + " LIMIT 1 OFFSET " +
                            std::to_string(random() % count));
    };
    const auto any_of = [&](std::initializer_list<const char*> words) {
        return std::string(words.begin()[random() % words.size()]);
    };
    const auto number = [&](std::uint64_t below) -> std::string {
        const std::string n = std::to_string(random() % below);
        switch (random() % 12) {
            case 0: return "'" + n + "'";
            case 1: return n + ".0";
            case 2: return n + ".5";
            case 3: return "-" + n;
            case 4:
                return any_of({"NULL", "''", "'x'", "x'31'", "9223372036854775807",
                               "-9223372036854775808", "1e300", "-1e300", "'1e1'"});
            default: return n;
        }
    };
    const auto condition = [&]() -> std::string {
        const std::string comparison = any_of({"=", "=", "<", "<=", ">", ">=", "IS", "<>"});
        switch (random() % 10) {
            case 0:
            case 1: return "game_id " + comparison + " " + number(120);
            case 2: return "ply " + comparison + " " + number(100);
            case 3: return "game_id BETWEEN " + number(60) + " AND " + number(120);
            case 4: return "key = " + sample("key");
            case 5: return "epd = " + sample("epd");
            case 6: return "fen = " + sample("fen");
            case 7: return "key IN (" + sample("key") + ", " + sample("key") + ", 5)";
            case 8: return "game_id IN (" + number(120) + ", " + number(120) + ")";
            default:
                return any_of({"epd", "fen", "key"}) + " " + comparison + " " +
                       any_of({"NULL", "5", "'x'", "'8/8/8/8/8/8/8/8 w - -'", "x'00'", "1.5"});
        }
    };
    std::size_t found = 0;
    for (int i = 0; i < fewer(600); ++i) {
        std::string question = "SELECT game_id, ply, " +
                               any_of({"fen", "san", "uci, epd", "key", "occurrence"}) +
                               " FROM ply WHERE " + condition();
        while (random() % 2 == 0) question += any_of({" AND ", " AND ", " OR "}) + condition();
        const std::string order =
            any_of({"game_id, ply", "game_id, ply", "ply, game_id", "game_id DESC, ply",
                    "game_id, ply DESC", "game_id, ply, key", "fen, game_id, ply"});
        question += " ORDER BY " + order;
        if (random() % 3 == 0) question += " LIMIT " + std::to_string(random() % 20);
        if (random() % 4 == 0 && question.find("LIMIT") != std::string::npos)
            question += " OFFSET 3";
        if (check_equal(stored, packed, question) != 0) ++found;
    }
    CHECK(found > fewer(200U));
    // Must not use the index, which has no lower-case texts. (Two such conditions joined by OR are
    // wrong with any index in SQLite 3.40: it makes an IN of them and forgets NOCASE.)
    CHECK(check_equal(stored, packed,
                      "SELECT game_id FROM ply WHERE epd = lower(" + sample("epd") +
                          ") COLLATE NOCASE ORDER BY game_id") > 0);
}

TEST_CASE("plies in the order of keys are those that SQLite sorts") {
    Sql stored(database_with_rows());
    Sql packed(database_without_rows());
    const auto plan = [&](const std::string& question) { return packed.plan(question); };
    for (const std::string question :
         {"SELECT key, count(*) FROM ply GROUP BY key",
          "SELECT key, min(game_id), max(ply), sum(ply) FROM ply GROUP BY key",
          "SELECT key, game_id, ply FROM ply ORDER BY key, game_id, ply",
          "SELECT ply, key FROM ply ORDER BY key, game_id",
          "SELECT key FROM ply WHERE game_id > 5 AND game_id <= 40 ORDER BY key",
          "SELECT key, game_id FROM ply WHERE ply BETWEEN 3 AND 9 ORDER BY key, game_id, ply",
          "SELECT key FROM ply WHERE ply > 7 AND key > 0 ORDER BY key LIMIT 50 OFFSET 7",
          "SELECT key FROM ply WHERE game_id > 1000 ORDER BY key"}) {
        INFO(question);
        CHECK_THAT(plan(question), Contains(":order of keys") && !Contains("TEMP B-TREE"));
        check_equal(stored, packed, question);
    }
    for (const std::string question :
         {"SELECT key, count(*), max(fen) FROM ply GROUP BY key", "SELECT DISTINCT key FROM ply",
          "SELECT key, game_id, ply FROM ply ORDER BY key DESC, game_id, ply",
          "SELECT key, game_id, ply FROM ply ORDER BY key, ply, game_id",
          "SELECT game_id, count(DISTINCT key) FROM ply GROUP BY game_id",
          "SELECT key FROM ply WHERE game_id = 3 ORDER BY key",
          "SELECT a.key, b.ply FROM ply a JOIN ply b ON b.game_id = a.game_id AND b.key = a.key"
          " WHERE a.game_id < 9 ORDER BY a.key, b.ply"}) {
        INFO(question);
        CHECK_THAT(plan(question), !Contains(":order of keys") || Contains("TEMP B-TREE"));
        check_equal(stored, packed, question);
    }
}

TEST_CASE("a game, a key, an EPD and a FEN are looked up, and the plan says which") {
    Sql sql(database_without_rows());
    const auto index = [&](const std::string& where) {
        const std::string plan = sql.plan("SELECT * FROM ply WHERE " + where);
        return plan.substr(plan.rfind(':') + 1);
    };
    CHECK(index("game_id = 3") == "game_id");
    CHECK(index("game_id = 3 AND ply = 4") == "game_id and ply");
    CHECK(index("game_id = 3 AND key = 4") == "game_id");
    CHECK(index("key = 4") == "key");
    CHECK(index("key = 4 AND ply < 3") == "key");
    CHECK(index("epd = 'x'") == "epd");
    CHECK(index("fen = 'x'") == "fen");
    CHECK(index("epd = 'x' AND fen = 'y'") == "epd");
    CHECK(index("epd = 'x' COLLATE NOCASE") == "all games");
    CHECK(index("game_id > 3") == "game_id range");
    CHECK(index("ply = 0") == "all games");
    CHECK(index("san = 'e4'") == "all games");

    const auto sorts = [&](const std::string& rest) {
        return sql.plan("SELECT * FROM ply " + rest).find("TEMP B-TREE") != std::string::npos;
    };
    CHECK_FALSE(sorts("ORDER BY game_id, ply"));
    CHECK_FALSE(sorts("ORDER BY game_id"));
    CHECK_FALSE(sorts("WHERE key = 1 ORDER BY game_id, ply"));
    CHECK_FALSE(sorts("WHERE game_id = 1 ORDER BY ply"));
    CHECK(sorts("ORDER BY ply"));
    CHECK(sorts("ORDER BY game_id DESC"));
    CHECK(sorts("ORDER BY game_id, ply DESC"));
    CHECK(sorts("WHERE key IN (1, 2) ORDER BY game_id"));
}

TEST_CASE("fen_key and fen_epd of any dialect find what a search finds, through the index") {
    const store::Reader reader = store::file_store(database_without_rows())->reader();
    query::GameMatcher every_game(*reader);
    query::PositionSearch search(*reader, every_game);
    for (const std::string& database : {database_with_rows(), database_without_rows()}) {
        Sql sql(database);
        // Some plies of all games, and a Chess960 game with a capture en passant.
        for (const std::string& fen :
             sql.rows("SELECT fen FROM ply WHERE (game_id * 7 + ply) % 300 = 0 OR game_id = 41")) {
            const auto position = chess::any_position(chess::parse_any_fen(fen, std::nullopt));
            REQUIRE(position);
            std::vector<std::string> found;
            search.find(query::Question::of(*position), [&](const query::Hit& hit) {
                for (const std::uint32_t ply : hit.plies) {
                    found.push_back(std::to_string(hit.game) + '|' + std::to_string(ply));
                }
                return true;
            });
            REQUIRE_FALSE(found.empty());
            std::vector<std::string> conditions = {"key = fen_key('" +
                                                   base::hex_key(position->key()) + "')"};
            for (const auto& [dialect, name] : chess::kFenDialects) {
                const std::string text = quoted(chess::to_fen(*position, dialect));
                conditions.push_back("key = fen_key(" + text + ")");
                conditions.push_back("epd = fen_epd(" + text + ")");
            }
            for (const std::string& condition : conditions) {
                const std::string question = "SELECT game_id, ply FROM ply WHERE " + condition;
                INFO(question);
                CHECK((sql.rows(question) == found));
                CHECK_THAT(sql.plan(question),
                           Contains("VIRTUAL TABLE INDEX") && Contains(condition.substr(0, 3)));
            }
        }
    }
}

TEST_CASE("joins with virtual ply rows give the same as joins with stored ones") {
    Sql stored(database_with_rows());
    Sql packed(database_without_rows());
    const char* questions[] = {
        // Positions that two games share; each row of one uses the index for the other.
        "SELECT a.ply, b.game_id, b.ply, b.san FROM ply a JOIN ply b ON b.key = a.key"
        " WHERE a.game_id = 20 AND b.game_id <> 20 ORDER BY 1, 2, 3",
        // A move and the move before it.
        "SELECT a.game_id, a.ply, a.san, b.san, b.fen FROM ply a JOIN ply b"
        " ON b.game_id = a.game_id AND b.ply = a.ply - 1 WHERE a.game_id < 30 ORDER BY 1, 2",
        "SELECT w.name, b.name, p.ply, p.fen FROM game g JOIN player w ON w.id = g.white"
        " JOIN player b ON b.id = g.black JOIN ply p ON p.game_id = g.id AND p.ply = g.plies"
        " ORDER BY g.id",
        "SELECT g.white, count(*) FROM games g JOIN ply ON ply.game_id = g.id"
        " WHERE san LIKE '%=Q%' GROUP BY g.white ORDER BY 1",
        "SELECT epd, count(DISTINCT game_id) AS n FROM ply WHERE ply BETWEEN 4 AND 8 GROUP BY epd"
        " ORDER BY n DESC, epd LIMIT 20",
        "SELECT id, (SELECT max(ply) FROM ply WHERE game_id = g.id) FROM game g ORDER BY id",
        "SELECT DISTINCT game_id FROM ply WHERE ply = 40",
        "SELECT DISTINCT game_id, ply FROM ply WHERE ply > 40 AND game_id < 40",
    };
    for (const char* question : questions) CHECK(check_equal(stored, packed, question) > 0);
}

TEST_CASE("a connection can be closed after virtual tables were read, even half-way") {
    Sql sql(database_without_rows());
    sql.value("SELECT count(*) FROM ply WHERE ply = 3 AND key <> 0");
    CHECK(sql.value("SELECT fen FROM ply LIMIT 1") != "");
    CHECK(sql.error("SELECT abs(-9223372036854775808) FROM ply") != "");
    CHECK(sql.close() == SQLITE_OK);
}

TEST_CASE("the next statement sees the commits of other connections") {
    const TemporaryFile db("games.db");
    const std::string one = db.write_beside("one.pgn", "1. e4 e5 *\n\n");
    import_into(db, {one});
    Sql sql(db);
    const std::string after_e4 =
        "SELECT count(*) FROM ply WHERE epd ="
        " fen_epd('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1')";
    CHECK(sql.value("SELECT count(*) FROM ply") == "3");
    CHECK(sql.value(after_e4) == "1");
    import_into(db, {db.write_beside("two.pgn", "1. e4 c5 2. Nf3 *\n\n")});
    CHECK(sql.value("SELECT count(*) FROM ply") == "7");
    CHECK(sql.value(after_e4) == "2");
    import_into(db, {db.write_beside("three.pgn", "1. e4 *\n\n")});
    CHECK(sql.value(after_e4) == "3");
}

TEST_CASE("a finished statement leaves no lock") {
    const TemporaryFile db("games.db");
    import_into(db, {db.write_beside("one.pgn", "1. e4 e5 *\n\n")});
    Sql reader(db);
    CHECK(reader.value("SELECT fen FROM ply WHERE key = fen_key('4k3/8/8/8/8/8/8/4K3 w - - 0 1')"
                       " UNION ALL SELECT san FROM ply WHERE game_id = 1 AND ply = 1") == "e4");
    Sql writer(db, SQLITE_OPEN_READWRITE);
    sqlite3_busy_timeout(writer.handle(), 0);
    CHECK(writer.error("BEGIN EXCLUSIVE") == "");
    CHECK(writer.error("ROLLBACK") == "");
}

TEST_CASE("if main is not a fendex database, the table reports it") {
    Sql sql(":memory:", SQLITE_OPEN_READWRITE);
    CHECK_THAT(sql.error("SELECT * FROM ply"), Contains("not one of fendex"));
    CHECK(sql.close() == SQLITE_OK);
}

TEST_CASE("a user's own table is not mistaken for one of the database") {
    Sql sql(database_without_rows());
    const std::string count = sql.value("SELECT count(*) FROM ply");
    for (const char* table : {"game", "segment", "block", "meta", "player", "fact"}) {
        sql.rows(std::string("CREATE TEMP TABLE ") + table + "(x)");
    }
    CHECK(sql.value("SELECT count(*) FROM ply") == count);
    CHECK(sql.value("SELECT count(*) FROM ply WHERE key = 5060803636482931868") != "0");
}

TEST_CASE("damaged games are an SQL error, or rows, but no crash") {
    const TemporaryFile db("games.db");
    import_into(db, {FENDEX_SAMPLES});
    Sql writer(db, SQLITE_OPEN_READWRITE);
    const std::string kinds[] = {
        "UPDATE game SET moves = x'' WHERE id = 7",
        "UPDATE game SET moves = zeroblob(4) WHERE id = 8",
        "UPDATE game SET plies = 4294967295 WHERE id = 9",
        "UPDATE game SET fen = 'x' WHERE id = 10",
        "UPDATE game SET moves = randomblob(length(moves)) WHERE id > 20",
        "UPDATE main.repetition SET plies = '[1'",
        "UPDATE block SET data = substr(data, 1, 100)",
        "UPDATE segment SET key_bits = 99",
    };
    std::size_t errors = 0;
    for (const std::string& damage : kinds) {
        INFO(damage);
        writer.rows(damage);
        for (const char* question :
             {"SELECT max(fen), max(san), max(key) FROM ply WHERE game_id <> 9 AND ply < 300",
              "SELECT max(occurrence) FROM ply WHERE game_id < 9",
              "SELECT fen FROM ply WHERE game_id = 9 AND ply = 4000000000",
              "SELECT * FROM ply WHERE epd = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq "
              "-'",
              "SELECT * FROM tree('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -')",
              "SELECT * FROM reached('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -')"}) {
            const std::string error = writer.error(question);
            if (error.empty()) continue;
            ++errors;
            CHECK_THAT(error, Contains("damaged"));
        }
    }
    CHECK(errors > 10);
    CHECK(writer.close() == SQLITE_OK);
}
