// The scalar functions compared with the rules layer, and their errors for invalid FENs.
#include "sqlite_ext/functions.hpp"

#include "chess/diagram.hpp"
#include "chess/fen.hpp"
#include "chess/random_play.hpp"
#include "sqlite_ext/fixture.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kStart = "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'";
const std::string kMemory = ":memory:";

}  // namespace

TEST_CASE("SQL functions of FENs agree with the chess layer") {
    Sql sql(kMemory, SQLITE_OPEN_READWRITE);
    CHECK(sql.value("SELECT printf('%016x', fen_key(" + kStart + "))") == "463b96181691fc9c");
    CHECK(sql.value("SELECT fen_key(" + kStart + ")") == "5060803636482931868");

    Random random(7);
    for (int i = 0; i < 50; ++i) {
        random_game(random_start(random, i % 2 == 0), random, 40,
                    [&](const chess::Position& position, chess::Move) {
                        if (random() % 8 != 0) return;
                        const std::string fen = quoted(chess::to_fen(position));
                        INFO(fen);
                        CHECK(sql.value("SELECT fen_key(" + fen + ")") ==
                              std::to_string(static_cast<std::int64_t>(position.key())));
                        CHECK(sql.value("SELECT fen_epd(" + fen + ")") == chess::to_epd(position));
                        CHECK(sql.value("SELECT fen_board(" + fen + ") || char(10)") ==
                              chess::diagram(position));
                        CHECK(sql.value("SELECT fen_valid(" + fen + ")") == "1");
                        const auto convert = [&](const std::string& dialect) {
                            return sql.value("SELECT fen_convert(" + fen + ", '" + dialect + "')");
                        };
                        using enum chess::FenDialect;
                        CHECK(convert("standard") == chess::to_fen(position, kStandard));
                        CHECK(convert("legal") == chess::to_fen(position, kLegal));
                        CHECK(convert("xfen") == chess::to_fen(position, kXfen));
                        CHECK(convert("shredder") == chess::to_fen(position, kShredder));
                    });
    }
}

TEST_CASE("fen_key also accepts a key in its printed form") {
    Sql sql(kMemory, SQLITE_OPEN_READWRITE);
    CHECK(sql.value("SELECT fen_key('463b96181691fc9c')") == "5060803636482931868");
    CHECK(sql.value("SELECT fen_key('0x463B96181691FC9C')") == "5060803636482931868");
    CHECK(sql.value("SELECT fen_key('ffffffffffffffff')") == "-1");
    for (const std::string no_key :
         {"'463b96181691fc9'", "'463b96181691fc9c0'", "'463b96181691fc9g'", "'-63b96181691fc9c'",
          "'0x'", "4630961816910090"}) {
        INFO(no_key);
        CHECK_THAT(sql.error("SELECT fen_key(" + no_key + ")"), Contains("FEN, "));
    }
    CHECK_THAT(sql.error("SELECT fen_epd('463b96181691fc9c')"), Contains("FEN, placement"));
}

TEST_CASE("an invalid FEN is an SQL error that names the field, and fen_valid returns 0") {
    Sql sql(kMemory, SQLITE_OPEN_READWRITE);
    for (const std::string call :
         {"fen_key(%)", "fen_epd(%)", "fen_board(%)", "fen_convert(%, 'legal')", "fen_valid(%)"}) {
        const auto with = [&](const std::string& argument) {
            std::string text = "SELECT " + call;
            return text.replace(text.find('%'), 1, argument);
        };
        INFO(call);
        CHECK(sql.value(with("NULL")) == "NULL");
        for (const auto& [fen, field] :
             {std::pair{"'8/8/8 w - -'", "placement"},
              {"'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq -'", "side"},
              {"'4k3/8/8/8/8/8/8/4K3 w Kz - 0 1'", "castling"},
              {"'4k3/8/8/8/8/8/8/4K3 w - e5 0 1'", "en passant"},
              {"'4k3/8/8/8/8/8/8/4K3 w - - x 1'", "halfmove"},
              {"'8/8/8/8/8/8/8/4K3 w - - 0 1'", "king"},
              {"''", "FEN"},
              {"42", "FEN"},
              {"4.2", "FEN"},
              {"x'00ff'", "FEN"},
              {"zeroblob(100000)", "FEN"}}) {
            INFO(fen);
            if (call.starts_with("fen_valid")) {
                CHECK(sql.value(with(fen)) == "0");
            } else {
                CHECK_THAT(sql.error(with(fen)), Contains("FEN, ") && Contains(field));
            }
        }
    }
    CHECK_THAT(sql.error("SELECT fen_convert(" + kStart + ", 'Legal')"),
               Contains("'standard', 'legal', 'xfen' or 'shredder'"));
    CHECK(sql.value("SELECT fen_convert(" + kStart + ", NULL)") == "NULL");
    CHECK_THAT(sql.error("SELECT fen_key()"), Contains("wrong number of arguments"));
}

TEST_CASE("the functions are deterministic and innocuous, for indexes and untrusted views") {
    Sql sql(kMemory, SQLITE_OPEN_READWRITE);
    sql.rows("PRAGMA trusted_schema = OFF");
    sql.rows("CREATE TABLE position(fen TEXT)");
    sql.rows("CREATE INDEX by_key ON position(fen_key(fen))");
    sql.rows("CREATE VIEW keyed AS SELECT fen, fen_key(fen) AS key FROM position");
    sql.rows("INSERT INTO position VALUES(" + kStart + ")");
    CHECK(sql.value("SELECT count(*) FROM keyed WHERE key = 5060803636482931868") == "1");
    CHECK_THAT(sql.plan("SELECT * FROM position WHERE fen_key(fen) = 1"), Contains("by_key"));
}

TEST_CASE("fen_valid checks a FEN in a variant") {
    Sql sql(kMemory, SQLITE_OPEN_READWRITE);
    const std::string horde =
        "'rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1'";
    CHECK(sql.value("SELECT fen_valid(" + horde + ")") == "0");
    CHECK(sql.value("SELECT fen_valid(" + horde + ", 'horde')") == "1");
    CHECK(sql.value("SELECT fen_valid(" + horde + ", 'atomic')") == "0");
    CHECK(sql.value("SELECT fen_valid(" + horde + ", NULL)") == "NULL");
    CHECK_THAT(sql.error("SELECT fen_valid(" + horde + ", 'xiangqi')"), Contains("xiangqi"));
}

TEST_CASE("iso_date gives days of the calendar to SQLite's date functions") {
    Sql sql(kMemory, SQLITE_OPEN_READWRITE);
    CHECK(sql.value("SELECT iso_date('1851.06.21')") == "1851-06-21");
    CHECK(sql.value("SELECT iso_date(18510621)") == "1851-06-21");
    CHECK(sql.value("SELECT strftime('%Y', iso_date('1851.06.21'))") == "1851");
    CHECK(sql.value("SELECT iso_date('2024.02.29')") == "2024-02-29");
    CHECK(sql.value("SELECT iso_date('0987.12.31')") == "0987-12-31");
    for (const std::string none :
         {"'1851.06.?\?'", "'1851.?\?.?\?'", "'?\?\?\?.?\?.?\?'", "'2023.02.29'", "'1851.13.01'",
          "'1851.00.21'", "'0000.01.01'", "'1851-06-21'", "'1851.06.21 '", "'1851.06.2'", "''",
          "18510600", "18519999", "185106210", "-1851062", "1851", "1851.0621", "NULL", "x'00'"}) {
        INFO(none);
        CHECK(sql.value("SELECT iso_date(" + none + ")") == "NULL");
    }
}
