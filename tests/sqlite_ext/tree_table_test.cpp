// tree(fen, match) compared with sums over stored ply rows.
#include "sqlite_ext/tree_table.hpp"

#include <random>

#include "sqlite_ext/fixture.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("a tree's rows are the sums over ply rows") {
    Sql stored(database_with_rows());
    Sql packed(database_without_rows());
    stored.rows("CREATE TEMP TABLE at AS SELECT game_id, ply, san, uci, epd FROM main.ply");
    stored.rows("CREATE INDEX temp.at_epd ON at(epd)");
    stored.rows("CREATE INDEX temp.at_game ON at(game_id, ply)");
    const std::vector<std::string> fens =
        stored.rows("SELECT fen FROM main.ply WHERE ply < 12 OR ply % 17 = 0");
    std::mt19937_64 random(5);
    for (int i = 0; i < 100; ++i) {
        const std::string fen = quoted(i == 0 ? fens.front() : fens[random() % fens.size()]);
        INFO(fen);
        const std::string simple =
            "WITH played AS (SELECT DISTINCT a.game_id, b.san, b.epd FROM at a LEFT JOIN at b"
            "  ON b.game_id = a.game_id AND b.ply = a.ply + 1 WHERE a.epd = fen_epd(" +
            fen +
            ")) SELECT san, count(*), sum(g.result = 1), sum(g.result = 3), sum(g.result = 2),"
            " (SELECT count(DISTINCT game_id) FROM at WHERE at.epd = played.epd)"
            " FROM played JOIN game g ON g.id = game_id GROUP BY san ORDER BY san";
        const std::string tree =
            "SELECT san, games, white, draws, black, reached FROM tree(" + fen + ") ORDER BY san";
        auto expected = stored.rows(simple);
        // For games that end there, no position follows.
        for (std::string& row : expected) {
            if (row.starts_with("NULL|")) row = row.substr(0, row.rfind('|')) + "|NULL";
        }
        CHECK((packed.rows(tree) == expected));
        CHECK((stored.rows(tree) == expected));
        CHECK(packed.value("SELECT round(total(share), 6) >= 1 FROM tree(" + fen + ")") == "1");
    }
}

TEST_CASE(
    "tree has sorted moves, names of openings and looser matches, without needless look-ups") {
    Sql sql(database_without_rows());
    const std::string start = "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'";
    const auto games = sql.rows("SELECT games FROM tree(" + start + ") WHERE san NOTNULL");
    REQUIRE(games.size() > 3);
    for (std::size_t i = 1; i < games.size(); ++i) {
        CHECK(std::stoull(games[i - 1]) >= std::stoull(games[i]));
    }
    CHECK(sql.value("SELECT uci || ' ' || eco || ' ' || opening FROM tree(" + start +
                    ") WHERE san = 'e4'") == "e2e4 B00 King's Pawn Game");
    CHECK_THAT(sql.plan("SELECT games FROM tree(" + start + ")"), !Contains("after each move"));
    CHECK_THAT(sql.plan("SELECT reached FROM tree(" + start + ")"), Contains("after each move"));

    const std::string black_to_move = "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq -'";
    CHECK(sql.rows("SELECT * FROM tree(" + black_to_move + ")").empty());
    CHECK(!sql.rows("SELECT * FROM tree(" + black_to_move + ", 'mirrored')").empty());
    CHECK(!sql.rows("SELECT * FROM tree(" + black_to_move + ", 'board')").empty());

    // A tree for each ply of a game.
    CHECK(std::stoull(sql.value("SELECT count(*) FROM ply p, tree(p.fen) t WHERE p.game_id = 5")) >=
          std::stoull(sql.value("SELECT count(*) FROM ply WHERE game_id = 5")));
    CHECK(sql.close() == SQLITE_OK);
}
