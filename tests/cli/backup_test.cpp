// fendex backup: its messages and errors, and files that remain when it is stopped or killed.
#include <filesystem>
#include <regex>

#include "cli/fixture.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Contains;

std::size_t files_beside(const std::string& path) {
    return static_cast<std::size_t>(std::distance(
        std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()), {}));
}

std::string games_of(const std::string& db) { return run({"export", db}).out; }

}  // namespace

TEST_CASE("backup copies a database, says what it did, and replaces an earlier copy") {
    const TemporaryFile copy("copy.db");
    const std::string& db = samples_database();
    for (const bool compact : {false, true, false}) {
        const Outcome outcome =
            compact ? run({"backup", db, copy, "--compact"}) : run({"backup", db, copy});
        REQUIRE(outcome.status == 0);
        CHECK(outcome.out.empty());
        CHECK(std::regex_match(
            outcome.err, std::regex("the copy needs up to [0-9.]+ MB; the disk of '.*' has [0-9.]+ "
                                    "[MG]B free\n"
                                    "[0-9,]+ games, [0-9.]+ MB, copied to '.*copy.db' and checked "
                                    "in [0-9.]+ s\n")));
        CHECK((games_of(copy) == games_of(db)));
        CHECK(run({"check", copy}).status == 0);
        CHECK(files_beside(copy) == 1);
    }
    CHECK(json_lines(run({"info", copy, "--format", "json"}).out)[0]["segments"] ==
          json_lines(run({"info", db, "--format", "json"}).out)[0]["segments"]);
}

TEST_CASE("backup refuses to replace other files, and targets that cannot hold a copy") {
    const TemporaryDirectory directory;
    const std::string& db = samples_database();
    const std::string text = directory.write("a.pgn", small_game(1));
    check_refused(run({"backup", db, text}), {"a.pgn", "is not a database of fendex"});
    CHECK(read_file(text) == small_game(1));
    check_refused(run({"backup", db}), {"which file should hold the copy"});
    check_refused(run({"backup", db, "-"}), {"to a file"});
    check_refused(run({"backup", db, "a.db", "b.db"}), {"b.db"});
    check_refused(run({"backup", db, db}), {"is the database itself"});
    check_refused(run({"backup", db, directory.path()}), {"is a directory"});
    check_refused(run({"backup", db, directory / "no/copy.db"}), {"/no' is not a directory"});
    check_refused(run({"backup", directory / "none.db", directory / "copy.db"}),
                  {"none.db", "no such database"});
    CHECK(files_beside(text) == 1);
    // The arguments are swapped.
    const std::string small = directory / "small.db";
    REQUIRE(run({"import", small, text}).status == 0);
    const std::string copy = directory / "copy.db";
    REQUIRE(run({"backup", db, copy}).status == 0);
    check_refused(run({"backup", small, copy}), {"copy.db", "are the two swapped?"});
    CHECK((games_of(copy) == games_of(db)));
}

TEST_CASE("backup of a damaged database is refused and the earlier copy stays") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string copy = directory / "copy.db";
    REQUIRE(run({"import", db, "-"}, small_game(1) + small_game(2)).status == 0);
    REQUIRE(run({"backup", db, copy}).status == 0);
    const std::string before = games_of(copy);
    REQUIRE(run_process({"sqlite3", db, "UPDATE game SET plies = 3 WHERE id = 2"}).status == 0);
    const Outcome outcome = run({"backup", db, copy});
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("was discarded") && Contains("fendex check"));
    CHECK((games_of(copy) == before));
    CHECK(files_beside(copy) == 2);
}

TEST_CASE("backup and export leave nothing when they are killed", "[full]") {
    const TemporaryDirectory directory;
    const std::string& db = samples_database();
    const std::string copy = directory / "copy.db";
    REQUIRE(run({"backup", db, copy}).status == 0);
    const std::string before = games_of(copy);
    const std::string pgn = directory.write("games.pgn", "earlier");
    unsigned killed = 0;
    unsigned first_ms = 2;  // at small size one moment for each signal
    for (const char* const signal : {"INT", "TERM", "KILL"}) {
        for (unsigned ms = at_size(first_ms, 2U); ms < 200; ms *= at_size(200U, 3U)) {
            CAPTURE(signal, ms);
            const auto kill = [&](const Words& words) {
                // timeout signals the process and then its group.
                Words all{"timeout", "-s", signal, std::to_string(ms / 1000.0), FENDEX_BINARY};
                all.insert(all.end(), words.begin(), words.end());
                killed += run_process(all).status != 0;
            };
            kill({"backup", db, copy, "--compact"});
            CHECK((games_of(copy) == before));
            if (std::string(signal) != "KILL") CHECK(files_beside(copy) == 2);
            kill({"export", db, "-o", pgn});
            const std::string written = read_file(pgn);
            CHECK((written == "earlier" || written == before));
            // On file systems where the unfinished file needs a name, the next export removes it.
            CHECK(run({"export", db, "-o", pgn}).status == 0);
            CHECK(run({"backup", db, copy}).status == 0);
            CHECK(files_beside(copy) == 2);
            directory.write("games.pgn", "earlier");
        }
        first_ms *= 3;
    }
    CHECK(killed > 0);
}
