// Rows for every ply are the same whether the import or materialize writes them.
#include <cmath>
#include <regex>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

std::string ply_rows(const std::string& database) {
    const Outcome outcome =
        run_process({"sqlite3", "-readonly", database, "SELECT * FROM ply ORDER BY game_id, ply"});
    return outcome.status == 0 ? outcome.out : outcome.err;
}

std::string stored_option(const std::string& database) {
    return json_lines(run({"info", database, "--format", "json"}).out).at(0)["ply_rows"];
}

}  // namespace

TEST_CASE(
    "materialize writes the rows that an import would have stored, and --drop takes them away") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string expected = ply_rows(samples_database());
    REQUIRE(lines_of(expected).size() == 8908 + 113);

    REQUIRE(run({"import", db, kSamples, "--ply-rows", "no"}).status == 0);
    CHECK(stored_option(db) == "no");
    CHECK_THAT(ply_rows(db), Contains("no such table: ply"));
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

    // Later imports add rows, too.
    REQUIRE(run({"import", db, "-"}, small_game(1)).status == 0);
    CHECK(lines_of(ply_rows(db)).size() == 8908 + 113 + 5);

    CHECK(run({"materialize", db, "--drop"}).status == 0);
    CHECK(stored_option(db) == "no");
    CHECK_THAT(ply_rows(db), Contains("no such table: ply"));
    CHECK(bytes() < 2 * small);
    CHECK(run({"materialize", db, "--drop"}).status == 0);
    CHECK(run({"find", db, kMate}).status == 0);
    REQUIRE(run({"import", db, "-"}, small_game(2)).status == 0);
    CHECK(stored_option(db) == "no");

    check_refused(run({"materialize", directory / "none.db"}), {"none.db", "no such database"});
}

TEST_CASE("materialize predicts the space of the rows approximately") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, kSamples, "--ply-rows", "no"}).status == 0);
    const std::size_t before = read_file(db).size();
    const Outcome outcome = run({"materialize", db});
    REQUIRE(outcome.status == 0);
    std::smatch said;
    REQUIRE(std::regex_search(outcome.err, said,
                              std::regex("^9,021 ply rows need about ([0-9.]+) MB,")));
    const double expected = std::stod(said[1]) * 1e6;
    const auto taken = static_cast<double>(read_file(db).size() - before);
    CAPTURE(expected, taken);
    CHECK(std::abs(expected - taken) < 0.1 * taken);
    CHECK_THAT(outcome.err, Contains("\n9,021 ply rows written in "));
    CHECK(run({"materialize", db}).err == "there are ply rows already\n");

    const std::string empty = directory / "empty.db";
    REQUIRE(run({"import", empty, "-", "--ply-rows", "no"}, "").status == 2);  // no game in it
    CHECK(run({"materialize", empty}).status == 0);
}

TEST_CASE("materialize refuses a disk that is too small, and changes nothing") {
    // A small file system, mounted in a user namespace.
    const TemporaryDirectory directory;
    const auto inside = [&](const std::string& script) {
        return run_process(
            {"unshare", "-rm", "sh", "-c",
             "mount -t tmpfs -o size=2m none \"$1\" || exit 99; cd \"$1\"; " + script, "sh",
             directory.path(), FENDEX_BINARY, kSamples});
    };
    if (inside("true").status != 0) {
        WARN("no file systems can be mounted here: not tested");
        return;
    }
    const Outcome outcome = inside(
        "\"$2\" import my.db \"$3\" --ply-rows no && cp my.db copy.db || exit 98;"
        " \"$2\" materialize my.db >out 2>err; status=$?; cmp my.db copy.db || exit 97; cat out;"
        " cat err >&2; exit $status");
    // The import's summary comes first.
    const std::string refusal = lines_of(outcome.err).back();
    CHECK(outcome.status == 2);
    CHECK_THAT(refusal, StartsWith("fendex: 9,021 ply rows need about"));
    CHECK_THAT(refusal, Contains("'my.db'") && Contains(" free"));
}

TEST_CASE("ply rows hold the keys and FENs of every game, Chess960 and odd starts among them") {
    // Each row equals that of `show`.
    for (const Json& game : sqlite3_rows(samples_database(),
                                         "SELECT id FROM game WHERE variant = 1 OR fen IS NOT NULL"
                                         " OR id % 10 = 0")) {
        const std::string id = game["id"].dump();
        CAPTURE(id);
        const auto rows = sqlite3_rows(
            samples_database(),
            "SELECT ply, san, uci, printf('%016x', key) AS key, fen, epd, occurrence, NULL AS eval,"
            " NULL AS mate, NULL AS depth FROM ply"
            " WHERE game_id = " +
                id + " ORDER BY ply");
        CHECK(rows ==
              json_lines(run({"show", samples_database(), id, "--plies", "--format", "json"}).out));
    }
}
