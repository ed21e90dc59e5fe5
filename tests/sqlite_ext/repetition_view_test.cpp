// View `repetition`, whose added columns are compared with stored ply rows.
#include "sqlite_ext/extension.hpp"
#include "sqlite_ext/fixture.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("the view repetition agrees with ply rows and games") {
    Sql stored(database_with_rows());
    Sql packed(database_without_rows());
    const std::string expected =
        "SELECT r.game_id, r.key, r.count, r.plies, r.third_ply, r.fifth_ply, first.fen, first.epd,"
        " g.plies - r.third_ply, g.result,"
        " CASE substr(third.epd, instr(third.epd, ' ') + 1, 1) WHEN 'w' THEN 'white'"
        " WHEN 'b' THEN 'black' END"
        " FROM main.repetition r JOIN games g ON g.id = r.game_id"
        " JOIN main.ply first ON first.game_id = r.game_id"
        "  AND first.ply = (SELECT min(value) FROM json_each(r.plies))"
        " LEFT JOIN main.ply third ON third.game_id = r.game_id AND third.ply = r.third_ply"
        " ORDER BY 1, 2";
    const auto rows = stored.rows(expected);
    CHECK(rows.size() > 20);
    for (Sql* sql : {&stored, &packed}) {
        CHECK((sql->rows("SELECT * FROM repetition ORDER BY game_id, key") == rows));
    }
    // Some claimants have Black, and some games have a start of their own.
    CHECK(packed.rows("SELECT DISTINCT claimant FROM repetition").size() == 3);
    CHECK_THAT(packed.plan("SELECT count FROM repetition WHERE game_id = 3"),
               Contains("SEARCH r USING PRIMARY KEY") && !Contains("ply"));
    CHECK(packed.close() == SQLITE_OK);
}

TEST_CASE("the side that may claim is the side to move, whichever side began") {
    const TemporaryFile db("games.db");
    import_into(db, {db.write_beside("one.pgn",
                                     "[SetUp \"1\"]\n[FEN \"4k2r/8/8/8/8/8/8/4K2R b - - 0 1\"]\n\n"
                                     "1... Rh7 2. Rh2 Rh8 3. Rh1 Rh7 4. Rh2 Rh8 5. Rh1 *\n\n")});
    Sql sql(db);
    CHECK(sql.rows("SELECT count, plies, third_ply, claimant, played_on, result FROM repetition"
                   " WHERE third_ply NOTNULL") ==
          std::vector<std::string>{"3|[0,4,8]|8|black|0|*"});
}

TEST_CASE("the view may be registered twice, in another database, or with a read-only temp") {
    {
        Sql sql(database_without_rows());
        sqlite_ext::register_extension(sql.handle());
        CHECK(sql.value("SELECT count(*) FROM pragma_table_info('repetition')") == "11");
        CHECK(sql.value("SELECT count(*) FROM ply") != "0");
        CHECK(sql.close() == SQLITE_OK);
    }
    {
        Sql sql(":memory:", SQLITE_OPEN_READWRITE);
        CHECK_THAT(sql.error("SELECT * FROM repetition"), Contains("no such table"));
        CHECK(sql.rows("SELECT * FROM temp.sqlite_master").empty());
    }
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open_v2(database_without_rows().c_str(), &db, SQLITE_OPEN_READONLY, nullptr) ==
            SQLITE_OK);
    CHECK(sqlite3_exec(db, "PRAGMA query_only = ON", nullptr, nullptr, nullptr) == SQLITE_OK);
    CHECK_NOTHROW(sqlite_ext::register_extension(db));
    CHECK(sqlite3_exec(db, "SELECT count FROM repetition", nullptr, nullptr, nullptr) == SQLITE_OK);
    CHECK(sqlite3_close(db) == SQLITE_OK);
}
