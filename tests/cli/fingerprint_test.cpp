// The fingerprint over every (game, ply, key) does not depend on how the games were imported.
#include <filesystem>

#include "cli/fixture.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex::test;

/// Returns the members of `info` that must not depend on how the games were imported.
std::string identity(const std::string& database) {
    const Outcome outcome = run({"info", database, "--format", "json"});
    REQUIRE(outcome.status == 0);
    const Json info = Json::parse(outcome.out);
    return info["games"].dump() + " games, " + info["plies"].dump() + " plies, " +
           info["positions"].dump() + " positions, " + info["errors"].dump() + " errors, " +
           info["fingerprint"].dump();
}

std::string import_all(const std::string& database, const Words& words,
                       const std::string& input = {}) {
    Words all{"import", database};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome import = run(all, input);
    INFO(import.err);
    REQUIRE(import.status == 0);
    REQUIRE(import.out.empty());
    std::string found = identity(database);
    std::filesystem::remove(database);
    return found;
}

}  // namespace

TEST_CASE("The fingerprint of the samples does not depend on --threads and --memory") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string text = run({"games", samples_database(), "--format", "pgn"}).out;
    const std::string expected = identity(samples_database());
    CHECK_THAT(expected,
               Catch::Matchers::StartsWith("113 games, 8908 plies, 9021 positions, 0 errors"));
    for (const char* const threads : {"1", "8"}) {
        for (const char* const memory : {"64M", "2G"}) {
            CAPTURE(threads, memory);
            CHECK(import_all(db, {"-", "--threads", threads, "--memory", memory}, text) ==
                  expected);
        }
    }
}

TEST_CASE("The fingerprint differs if one ply differs") {
    // The fingerprint changes with the last move and the order of games.
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string text = small_game(1, "1. e4 *") + small_game(2, "1. d4 *");
    const std::string one = import_all(db, {"-"}, text);
    CHECK(import_all(db, {"-"}, text) == one);
    CHECK(import_all(db, {"-"}, small_game(2, "1. d4 *") + small_game(1, "1. e4 *")) != one);
    CHECK(import_all(db, {"-"}, small_game(1, "1. e4 *") + small_game(2, "1. d3 *")) != one);
}

TEST_CASE("The archive of record has its known fingerprint, with little memory and with much",
          "[.corpus]") {
    if (skip_when_sanitized()) return;
    const std::string archive = whole_corpus() + "/human.pgn.zst";
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    const std::string expected = import_all(db, {archive, "--ply-rows", "no", "--memory", "2G"});
    CHECK_THAT(expected, Catch::Matchers::StartsWith(
                             "148464 games, 12554727 plies, 12703191 positions, 1 errors"));
    for (const char* const threads : {"1", "8"}) {
        CHECK(import_all(db, {archive, "--ply-rows", "no", "--memory", "64M", "--threads",
                              threads}) == expected);
    }
}
