// Compares the immortal game in table `ply`, as any SQLite client reads it, with pgn-extract.
#include <algorithm>

#include "cli/fixture.hpp"
#include "support/pgn_extract.hpp"

namespace {

using namespace fendex::test;

/// Converts sixteen hex digits to the signed number in SQL.
std::int64_t signed_key(const std::string& hex) {
    return static_cast<std::int64_t>(std::stoull(hex, nullptr, 16));
}

std::string without_clocks(const std::string& fen) {
    return fen.substr(0, fen.rfind(' ', fen.rfind(' ') - 1));
}

}  // namespace

TEST_CASE("The immortal game's 46 rows, read with sqlite3, are what pgn-extract says") {
    const TemporaryFile db("my.db");
    const std::string pgn = kSamples + "/classics.pgn";
    REQUIRE(run({"import", db, pgn}).status == 0);
    const auto rows = sqlite3_rows(db, "SELECT * FROM ply WHERE game_id = 1 ORDER BY ply");
    REQUIRE(rows.size() == 46);
    CHECK(members(rows[0]) ==
          Words{"game_id", "ply", "san", "uci", "key", "fen", "epd", "occurrence"});
    CHECK(rows[0]["fen"] == kStart);
    CHECK(rows[0]["epd"] == without_clocks(kStart));
    CHECK(rows[0]["san"].is_null());
    CHECK(rows[0]["uci"].is_null());
    CHECK(rows[0]["key"] == signed_key("463b96181691fc9c"));
    CHECK(rows[45]["fen"] == kMate);
    CHECK(rows[45]["san"] == "Be7#");
    CHECK(rows[45]["uci"] == "d6e7");

    const auto plies = json_lines(run({"show", db, "1", "--plies", "--format", "json"}).out);
    REQUIRE(plies.size() == 46);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i]["ply"] == i);
        CHECK(rows[i]["key"] == signed_key(plies[i]["key"]));
        for (const char* const name : {"san", "uci", "fen", "epd", "occurrence"}) {
            CHECK(rows[i][name] == plies[i][name]);
        }
    }

    if (!have_pgn_extract()) return;
    const auto extracted = extract_fens(pgn);
    // Without en passant squares that no pawn can use, FENs show the identity of positions.
    const auto identities = extract_fens(pgn, {"--nofauxep"});
    REQUIRE(extracted.size() == 37);
    REQUIRE(identities.size() == 37);
    REQUIRE(extracted[0].fens.size() == 45);
    REQUIRE(identities[0].fens.size() == 45);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        CHECK(rows[i]["fen"] == extracted[0].fens[i - 1]);
        CHECK(rows[i]["epd"] == without_clocks(identities[0].fens[i - 1]));
    }
    // 10.g4 is the one move of the game that could have been answered en passant.
    const auto usable = std::count_if(rows.begin(), rows.end(), [](const Json& row) {
        return !row["epd"].get<std::string>().ends_with(" -");
    });
    CHECK(usable == 1);
    CHECK(rows[19]["epd"] == "rnb1kb1r/p2p1ppp/2p5/1B3Nqn/4PpP1/3P4/PPP4P/RNBQ1K1R b kq g3");
}
