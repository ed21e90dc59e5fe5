// Files with tables of others: nothing in them is executed.
#include "store/sqlite/file_store.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

TEST_CASE("A schema that is not ours is refused by readers and writers") {
    const Damaged damaged;
    for (const char* sql : {
             "CREATE TRIGGER t AFTER INSERT ON game BEGIN DELETE FROM player; END",
             "CREATE TRIGGER t INSTEAD OF INSERT ON games BEGIN SELECT 1; END",
             "ALTER TABLE game RENAME TO g; CREATE VIEW game AS SELECT * FROM g",
             "ALTER TABLE game ADD COLUMN more AS (plies * 2)",
             "DROP TABLE quiet_run; CREATE VIRTUAL TABLE quiet_run USING fts5(game_id, ply50, "
             "ply75, longest)",
             "DROP VIEW games; CREATE VIEW games AS SELECT 1 AS id",
             "CREATE INDEX computed ON game(plies + 1)",
             "CREATE INDEX some ON game(plies) WHERE plies > 3",
             "DROP TABLE signature",
             "DROP INDEX block_key",
         }) {
        INFO(sql);
        damaged.restore();
        damaged.sql(sql);
        CHECK_THROWS_AS(store::file_store(damaged.path())->reader(), store::StoreError);
        CHECK_THROWS_AS(store::file_store(damaged.path())->writer(), store::StoreError);
        CHECK_THROWS_AS(checked(damaged.path()), store::StoreError);
        CHECK_THROWS_AS(upkeep::repair_database(damaged.path(), {}), store::StoreError);
    }
}

TEST_CASE("Tables that others keep beside ours are left alone") {
    const Damaged damaged;
    damaged.sql(
        "CREATE TABLE notes(game_id, text); CREATE INDEX my_players ON game(white, black);"
        "CREATE VIEW draws AS SELECT id FROM game WHERE result = 3; ANALYZE;"
        "CREATE TRIGGER own AFTER INSERT ON notes BEGIN SELECT 1; END");
    CHECK(checked(damaged.path()).findings.empty());
    CHECK(answers_of(damaged.path()) == answers_of(Damaged::intact()));
}

TEST_CASE("Impossible numbers are refused before memory is allocated for them") {
    const Damaged damaged;
    for (const char* sql : {
             "UPDATE meta SET value = 1 << 60 WHERE name IN ('games', 'last_game')",
             "UPDATE meta SET value = -1 WHERE name IN ('games', 'last_game')",
             "UPDATE segment SET last_game = 1 << 27",
             "UPDATE segment SET key_bits = 200",
             "UPDATE player SET id = 1 << 60 WHERE id = 1",
             "UPDATE game SET plies = 1 << 50 WHERE id = 1",
             "UPDATE block SET part = -5 WHERE part = 0",
         }) {
        INFO(sql);
        damaged.restore();
        damaged.sql(sql);
        CHECK_THROWS_AS(answers_of(damaged.path()), store::StoreError);
        CHECK_FALSE(checked(damaged.path()).findings.empty());
    }
}
