// fendex compact: one segment, no free pages, the same answers; and its messages before and after.
#include <filesystem>
#include <regex>

#include "cli/fixture.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex::test;
using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

/// Makes one import for each sample, and games that are in no segment.
std::string many_segments(const TemporaryDirectory& directory, unsigned imports = 9) {
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, kSamples, "--ply-rows", "no"}).status == 0);
    for (unsigned i = 0; i < imports; ++i) {
        REQUIRE(run({"import", db, "-"}, small_game(i) + small_game(i + 100)).status == 0);
    }
    return db;
}

void change(const std::string& db, const std::string& sql) {
    const Outcome outcome = run_process({"sqlite3", db, sql});
    INFO(sql << ": " << outcome.err);
    REQUIRE(outcome.status == 0);
}

Json info(const std::string& db) {
    return json_lines(run({"info", db, "--format", "json"}).out).at(0);
}

std::string answers(const std::string& db) {
    std::string out;
    for (const Words& words :
         {Words{"find", db, kStart, kMate, "--format", "json"},
          Words{"tree", db, "--format", "json"}, Words{"repeats", db, "--format", "json"},
          Words{"games", db, "--format", "csv"}, Words{"export", db}}) {
        out += run(words).out;
    }
    return out;
}

}  // namespace

TEST_CASE("compact makes one segment and a small file, with the same answers") {
    const TemporaryDirectory directory;
    const std::string db = many_segments(directory);
    const Json before = info(db);
    const std::string expected = answers(db);
    CHECK(before["segments"] > 1);
    CHECK(before["write_amplification"] > 1.0);
    CHECK(before["postings"] == before["positions"]);

    const Outcome outcome = run({"compact", db});
    REQUIRE(outcome.status == 0);
    CHECK(outcome.out.empty());
    CHECK(std::regex_match(
        outcome.err,
        std::regex(
            "compacting [0-9]+ segments \\([0-9.]+ MB\\) needs up to [0-9.]+ MB more; the "
            "disk of '.*my.db' has [0-9.]+ [MG]B free\n"
            "1 segment \\(were [0-9]+\\), [0-9.]+ MB \\(were [0-9.]+ MB\\) in [0-9.]+ s\n")));
    const Json after = info(db);
    CHECK(after["segments"] == 1);
    CHECK(after["free_bytes"] == 0);
    CHECK(after["bytes"] <= before["bytes"]);
    CHECK(after["bytes"] == std::filesystem::file_size(db));
    CHECK(after["fingerprint"] == before["fingerprint"]);
    CHECK(after["postings"] == after["positions"]);
    CHECK((answers(db) == expected));
    CHECK(sqlite3_rows(db, "PRAGMA integrity_check")[0]["integrity_check"] == "ok");
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
        CHECK_FALSE(std::filesystem::exists(db + suffix));
    }
    CHECK(run({"compact", db}).err == "nothing to do: 1 segment, no free pages\n");
    CHECK(info(db) == after);
}

TEST_CASE("compact indexes the games of a killed import and removes its remains") {
    const TemporaryDirectory directory;
    const std::string db = many_segments(directory);
    const std::string expected = answers(db);
    change(db, "DELETE FROM segment WHERE id = (SELECT max(id) FROM segment)");
    CHECK(info(db)["unindexed_games"] > 0);
    CHECK((answers(db) == expected));
    REQUIRE(run({"compact", db, "--threads", "1", "--memory", "1M"}).status == 0);
    CHECK(info(db)["unindexed_games"] == 0);
    CHECK(info(db)["segments"] == 1);
    CHECK((answers(db) == expected));
    // Remains alone are a reason for VACUUM.
    change(db, "INSERT INTO block SELECT id + 1000, 77, first_key, part, data FROM block");
    CHECK(run({"compact", db}).status == 0);
    CHECK(sqlite3_rows(db, "SELECT * FROM block WHERE segment = 77").empty());
    CHECK(info(db)["free_bytes"] == 0);
}

TEST_CASE("compact may be killed at any moment", "[full]") {
    const TemporaryDirectory directory;
    const std::string db = many_segments(directory, at_size(3U, 9U));
    const std::string fingerprint = info(db)["fingerprint"];
    const std::string expected = answers(db);
    unsigned killed = 0;
    Json now = info(db);
    for (unsigned ms = at_size(3U, 1U); ms < 400 && now["segments"] != 1;
         ms += 1 + at_size(2 * ms, ms / 4)) {
        killed += run_process({"timeout", "-s", "KILL", std::to_string(ms / 1000.0), FENDEX_BINARY,
                               "compact", db})
                      .status == 137;
        now = info(db);
        CHECK(now["fingerprint"] == fingerprint);
        CHECK((answers(db) == expected));
    }
    CHECK(killed > 0);
    CHECK(run({"compact", db}).status == 0);
    CHECK(info(db)["segments"] == 1);
    CHECK((answers(db) == expected));
}

TEST_CASE("compact refuses a missing database, and a disk that is too small") {
    const TemporaryDirectory directory;
    check_refused(run({"compact", directory / "none.db"}), {"none.db", "no such database"});
    check_refused(run({"compact"}), {"which database"});
    const std::string db = many_segments(directory);
    const auto inside = [&](const std::string& script) {
        return run_process({"unshare", "-rm", "sh", "-c",
                            "mount -t tmpfs -o size=1m none /mnt || exit 99; cd /mnt; " + script,
                            "sh", db, FENDEX_BINARY});
    };
    if (inside("true").status != 0) {
        WARN("no file systems can be mounted here: not tested");
        return;
    }
    const Outcome outcome = inside(
        "cp \"$1\" my.db || exit 98; \"$2\" compact my.db >out 2>err; status=$?;"
        " cat out; cat err >&2; exit $status");
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, StartsWith("fendex: compacting ") && Contains("'my.db'"));
    CHECK_THAT(outcome.err, EndsWith(" free\n"));
}
