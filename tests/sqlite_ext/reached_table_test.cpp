// reached(fen, match) compared with a scan of stored ply rows.
#include "sqlite_ext/reached_table.hpp"

#include <random>

#include "chess/fen.hpp"
#include "chess/mirrored.hpp"
#include "sqlite_ext/fixture.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kStart = "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'";

}  // namespace

TEST_CASE("reached returns every game and ply that a scan of ply rows finds") {
    Sql stored(database_with_rows());
    Sql packed(database_without_rows());
    stored.rows(
        "CREATE TEMP TABLE placed AS SELECT game_id, ply, epd,"
        " substr(fen, 1, instr(fen, ' ') - 1) AS placement FROM main.ply");
    stored.rows("CREATE INDEX temp.by_placement ON placed(placement)");
    stored.rows("CREATE INDEX temp.by_epd ON placed(epd)");
    const std::vector<std::string> fens = stored.rows("SELECT fen FROM main.ply WHERE ply < 20");
    std::mt19937_64 random(3);
    for (int i = 0; i < fewer(150, 5); ++i) {
        const std::string fen = fens[random() % fens.size()];
        const chess::Position position = *chess::parse_fen(fen).position;
        const std::string epd = quoted(chess::to_epd(position));
        const std::string mirror = quoted(chess::to_epd(chess::mirrored(position)));
        const std::string placement = quoted(fen.substr(0, fen.find(' ')));
        INFO(fen);
        const auto check = [&](const std::string& arguments, const std::string& where) {
            const std::string expected =
                "SELECT game_id, ply FROM placed WHERE " + where + " ORDER BY game_id, ply";
            const auto rows = stored.rows(expected);
            CHECK(!rows.empty());
            for (Sql* sql : {&stored, &packed}) {
                CHECK((sql->rows("SELECT * FROM reached(" + arguments + ")") == rows));
            }
        };
        check(quoted(fen), "epd = " + epd);
        check(epd + ", 'exact'", "epd = " + epd);
        check(epd + ", 'mirrored'", "epd IN (" + epd + ", " + mirror + ")");
        check(quoted(fen) + ", 'board'", "placement = " + placement);
    }
}

TEST_CASE("reached and the functions of FENs know variants") {
    const TemporaryFile database("variants.db");
    import_into(database, {std::string(FENDEX_TEST_DATA) + "/variants/games.pgn"},
                ingest::PlyRowChoice::kNo);
    Sql sql(database);
    const std::string e4 = "'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -'";
    const auto games = [&](const std::string& arguments) {
        return sql.rows("SELECT DISTINCT g.variant FROM reached(" + arguments +
                        ") r JOIN game g ON g.id = r.game_id ORDER BY 1");
    };
    CHECK(games(e4).empty());
    CHECK((games(e4 + ", 'exact', '3check'") == std::vector<std::string>{"3"}));
    CHECK((games(e4 + ", 'board', 'Three-check'") == std::vector<std::string>{"3"}));
    CHECK(sql.value("SELECT count(*) FROM tree(" + e4 + ", 'exact', '3check')") == "1");
    // A search by text finds rows of every variant.
    CHECK((sql.rows("SELECT DISTINCT g.variant FROM ply p JOIN game g ON g.id = p.game_id"
                    " WHERE p.epd = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -'"
                    " ORDER BY 1") == std::vector<std::string>{"4", "5", "9"}));
    CHECK(sql.value("SELECT fen_key(" + e4 + ", 'atomic') <> fen_key(" + e4 + ")") == "1");
    CHECK_THAT(sql.error("SELECT fen_key(" + e4 + ", 'xiangqi')"), Contains("xiangqi"));
}

TEST_CASE("reached can be joined with players, games and positions of other rows") {
    Sql stored(database_with_rows());
    Sql packed(database_without_rows());
    const std::string sicilian = "'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2'";
    const auto check = [&](const std::string& question, const std::string& simple) {
        INFO(question);
        const auto rows = packed.rows(question);
        CHECK(!rows.empty());
        CHECK((rows == stored.rows(simple)));
    };
    check("SELECT w.name, b.name, r.ply FROM reached(" + sicilian +
              ") r JOIN game g ON g.id = r.game_id JOIN player w ON w.id = g.white"
              " JOIN player b ON b.id = g.black ORDER BY g.id",
          "SELECT g.white, g.black, p.ply FROM main.ply p JOIN games g ON g.id = p.game_id"
          " WHERE p.epd = fen_epd(" +
              sicilian + ") AND g.white NOTNULL AND g.black NOTNULL ORDER BY g.id");
    check("SELECT id FROM game g WHERE EXISTS (SELECT 1 FROM reached(" + sicilian +
              ") r WHERE r.game_id = g.id) ORDER BY id",
          "SELECT DISTINCT game_id FROM main.ply WHERE epd = fen_epd(" + sicilian + ") ORDER BY 1");
    check(
        "SELECT p.ply, r.game_id, r.ply FROM ply p, reached(p.fen) r WHERE p.game_id = 5"
        " ORDER BY 1, 2, 3",
        "SELECT p.ply, r.game_id, r.ply FROM main.ply p JOIN main.ply r ON r.epd = p.epd"
        " WHERE p.game_id = 5 ORDER BY 1, 2, 3");
    check("SELECT count(*) FROM reached(" + sicilian + ") WHERE game_id BETWEEN 3 AND 80",
          "SELECT count(*) FROM main.ply WHERE epd = fen_epd(" + sicilian +
              ") AND game_id BETWEEN 3 AND 80");
    // The arguments are columns.
    CHECK(packed.value("SELECT fen || match FROM reached(" + sicilian + ") LIMIT 1") ==
          packed.value("SELECT " + sicilian + " || 'exact'"));
    CHECK(packed.rows("SELECT 1 FROM reached(" + sicilian + ") WHERE fen = " + kStart).empty());
    CHECK(packed.rows("SELECT * FROM reached WHERE fen = " + sicilian) ==
          packed.rows("SELECT * FROM reached(" + sicilian + ")"));
}

TEST_CASE("plans of reached look up by key and game, and do not sort sorted rows") {
    Sql sql(database_without_rows());
    const std::string from = "SELECT * FROM reached(" + kStart + ")";
    CHECK_THAT(sql.plan(from), Contains(":key"));
    CHECK_THAT(sql.plan(from + " WHERE game_id = 3"), Contains(":game_id"));
    CHECK(sql.plan(from + " ORDER BY game_id, ply").find("B-TREE") == std::string::npos);
    CHECK(sql.plan(from + " ORDER BY ply").find("B-TREE") != std::string::npos);
}

TEST_CASE("odd arguments of reached and tree give an error of one line or no row") {
    Sql sql(database_without_rows());
    for (const std::string table : {"reached", "tree"}) {
        const auto error = [&](const std::string& arguments) {
            return sql.error("SELECT * FROM " + table + arguments);
        };
        CHECK_THAT(error(""), Contains(table + "(fen): the FEN is missing"));
        CHECK_THAT(error("()"), Contains("the FEN is missing"));
        for (const char* fen :
             {"''", "'x'", "1", "1.5", "x'00'", "zeroblob(5000)", "'8/8/8/8/8/8/8/8 w - -'"}) {
            const std::string message = error("(" + std::string(fen) + ")");
            INFO(fen);
            CHECK_THAT(message, Contains("FEN, "));
            CHECK(message.find('\n') == std::string::npos);
        }
        CHECK_THAT(error("(" + kStart + ", 'Exact')"), Contains("exact, board and mirrored"));
        CHECK_THAT(error("(" + kStart + ", 5)"), Contains("exact, board and mirrored"));
        CHECK_THAT(error("(" + kStart + ", 'exact', 'standard', 1)"),
                   Contains("too many arguments"));
        CHECK_THAT(error("(" + kStart + ", 'exact', 1)"), Contains("not a known variant"));
        CHECK(sql.rows("SELECT * FROM " + table + "(NULL)").empty());
        CHECK(sql.rows("SELECT * FROM " + table + "(" + kStart + ", NULL)").empty());
        CHECK(sql.rows("SELECT * FROM " + table + "(NULL, 'x')").empty());
    }
    for (const char* game : {"0", "-1", "1e300", "'x'", "NULL", "x'31'", "9223372036854775807"}) {
        CHECK(sql.rows("SELECT * FROM reached(" + kStart + ") WHERE game_id = " + game).empty());
    }
    CHECK(sql.close() == SQLITE_OK);
}

TEST_CASE("a statement that is interrupted anywhere does not affect the next one") {
    const std::vector<std::string> questions{
        "SELECT * FROM reached(" + kStart + ") LIMIT 30",
        "SELECT * FROM reached('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -')",
        "SELECT san, games, reached FROM tree(" + kStart + ")",
        "SELECT san, occurrence FROM ply WHERE game_id = 2",
        "SELECT san, occurrence FROM ply WHERE game_id = 5",
    };
    Sql undisturbed(database_without_rows());
    std::vector<std::vector<std::string>> expected;
    for (const std::string& question : questions) expected.push_back(undisturbed.rows(question));

    Sql sql(database_without_rows());
    struct Countdown {
        int left;
        static int step(void* self) { return --static_cast<Countdown*>(self)->left == 0 ? 1 : 0; }
    };
    int broken_off = 0;
    for (int steps = 1; steps < 600; ++steps) {
        if (left_out(static_cast<std::size_t>(steps), 7)) continue;
        const std::size_t first = static_cast<std::size_t>(steps) % questions.size();
        Countdown countdown{steps};
        sqlite3_progress_handler(sql.handle(), 1, Countdown::step, &countdown);
        if (sql.error(questions[first]) != "") ++broken_off;
        sqlite3_progress_handler(sql.handle(), 0, nullptr, nullptr);
        for (const std::size_t next : {first, (first + 1) % questions.size()}) {
            INFO(steps << ": " << questions[first] << ", then " << questions[next]);
            CHECK((sql.rows(questions[next]) == expected[next]));
        }
    }
    CHECK(broken_off > fewer(300, 7));
}

TEST_CASE(
    "reached and tree refuse to swap colours if the sides of a variant do not mirror each other") {
    Sql sql(database_without_rows());
    for (const std::string table : {"reached", "tree"}) {
        CHECK_THAT(sql.error("SELECT * FROM " + table +
                             "('8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1', 'mirrored',"
                             " 'racingkings')"),
                   Contains("mirrored") && Contains("racingkings"));
    }
}
