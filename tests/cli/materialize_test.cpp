// Rows for every ply, written at the import or later: the same rows.
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;

std::string ply_rows(const std::string& database) {
    const Outcome outcome =
        run_process({"sqlite3", "-readonly", database, "SELECT * FROM ply ORDER BY game_id, ply"});
    return outcome.status == 0 ? outcome.out : outcome.err;
}

std::string stored_option(const std::string& database) {
    return json_lines(run({"info", database, "--format", "json"}).out).at(0)["ply_rows"];
}

}  // namespace

TEST_CASE("materialize writes the rows that an import would have stored; --drop takes them away") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string expected = ply_rows(samples_database());
    REQUIRE(lines_of(expected).size() == 8908 + 113);

    REQUIRE(run({"import", db, kSamples, "--ply-rows", "no"}).status == 0);
    CHECK(stored_option(db) == "no");
    CHECK_THAT(ply_rows(db), Catch::Matchers::Contains("no such table: ply"));
    const auto bytes = [&] { return read_file(db).size(); };
    const std::size_t small = bytes();

    const Outcome written = run({"materialize", db});
    INFO(written.err);
    CHECK(written.status == 0);
    CHECK(written.out.empty());
    CHECK(stored_option(db) == "yes");
    CHECK((ply_rows(db) == expected));
    CHECK(run({"materialize", db}).status == 0);
    CHECK((ply_rows(db) == expected));

    // Imports that follow keep it up.
    REQUIRE(run({"import", db, "-"}, small_game(1)).status == 0);
    CHECK(lines_of(ply_rows(db)).size() == 8908 + 113 + 5);

    CHECK(run({"materialize", db, "--drop"}).status == 0);
    CHECK(stored_option(db) == "no");
    CHECK_THAT(ply_rows(db), Catch::Matchers::Contains("no such table: ply"));
    CHECK(bytes() < 2 * small);
    CHECK(run({"materialize", db, "--drop"}).status == 0);
    CHECK(run({"find", db, kMate}).status == 0);
    REQUIRE(run({"import", db, "-"}, small_game(2)).status == 0);
    CHECK(stored_option(db) == "no");

    check_refused(run({"materialize", directory / "none.db"}), {"none.db", "no such database"});
}

TEST_CASE("ply rows hold the keys and FENs of every game, Chess960 and odd starts among them") {
    // Row by row what `show` says.
    for (const Json& game : sqlite3_rows(samples_database(),
                                         "SELECT id FROM game WHERE variant = 1 OR fen IS NOT NULL"
                                         " OR id % 10 = 0")) {
        const std::string id = game["id"].dump();
        CAPTURE(id);
        const auto rows = sqlite3_rows(
            samples_database(),
            "SELECT ply, san, uci, printf('%016x', key) AS key, fen, epd, occurrence FROM ply"
            " WHERE game_id = " +
                id + " ORDER BY ply");
        CHECK(rows ==
              json_lines(run({"show", samples_database(), id, "--plies", "--format", "json"}).out));
    }
}
