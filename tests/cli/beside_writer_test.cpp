// Verbs beside a writer, and where nobody may write: none waits for another, none leaves anything
// behind.
#include <filesystem>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

std::ptrdiff_t count_files(const TemporaryDirectory& directory) {
    const auto entries = fs::directory_iterator(directory.path());
    return std::distance(begin(entries), end(entries));
}

/// Verbs that only read, with answers that do not depend on time or place.
std::vector<Words> questions(const std::string& db) {
    return {{"find", db, kStart, "--count"},
            {"tree", db, kStart, "--format", "json"},
            {"export", db, "--quiet"},
            {"sql", db, "SELECT count(*) FROM ply"},
            {"check", db, "--quiet"}};
}

}  // namespace

TEST_CASE("import begins, commits and ends while an export is read slowly") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    fs::copy_file(samples_database(), db);
    const std::string pgn = directory.write("a.pgn", small_game(1));
    const Words plies{"export", db,       "--format",
                      "csv",    "--rows", "positions"};  // more than a pipe holds
    const std::string expected = run(plies).out;
    const int before = sqlite3_rows(db, "SELECT count(*) AS n FROM source").front()["n"];
    REQUIRE(expected.size() > 500'000);
    CHECK(count_files(directory) == 2);
    const Outcome both =
        run_process({"sh", "-c",
                     "\"$1\" export \"$2\" --quiet --format csv --rows positions | {"
                     "  read -r line; printf '%s\\n' \"$line\";"
                     "  timeout 10 \"$1\" import \"$2\" \"$3\" --quiet || echo failed >&2;"
                     "  \"$1\" sql \"$2\" 'SELECT count(*) AS n FROM source' --format json >&2;"
                     "  cat; }",
                     "sh", FENDEX_BINARY, db, pgn});
    CHECK(both.err == "{\"n\":" + std::to_string(before + 1) + "}\n");
    CHECK((both.out == expected));
    CHECK(count_files(directory) == 2);
}

TEST_CASE("every verb leaves only the database file") {
    const TemporaryDirectory directory;
    const std::string db = directory / "my.db";
    REQUIRE(run({"import", db, "-", "--quiet"}, small_game(1) + small_game(2)).status == 0);
    CHECK(count_files(directory) == 1);
    std::vector<Words> verbs = questions(db);
    verbs.push_back({"sql", db, "SELEC"});
    verbs.push_back({"delete", db, "--games", "1", "--quiet"});
    verbs.push_back({"compact", db, "--quiet"});
    verbs.push_back({"repair", db, "--quiet"});
    verbs.push_back({"upgrade", db});
    verbs.push_back({"materialize", db, "--drop"});
    for (const Words& words : verbs) {
        CAPTURE(words);
        CHECK(run(words).status == (words.back() == "SELEC" ? 2 : 0));
        CHECK(count_files(directory) == 1);
    }
    const ProcessOptions options{.output = ProcessOptions::Output::kNobody};
    CHECK(run({"export", db}, options).status == 0);
    CHECK(count_files(directory) == 1);
    CHECK(run({"backup", db, directory / "copy.db", "--quiet"}).status == 0);
    CHECK(count_files(directory) == 2);
    CHECK(sqlite3_rows(directory / "copy.db", "PRAGMA journal_mode").front()["journal_mode"] ==
          "wal");
}

TEST_CASE("a database is read without permission to write") {
    // One database and its answers are for all sections.
    static const TemporaryDirectory directory;
    static const std::string db = directory / "my.db";
    static const std::vector<std::string> answers = [] {
        REQUIRE(run({"import", db, "-", "--quiet"}, small_game(1) + small_game(2)).status == 0);
        std::vector<std::string> out;
        for (const Words& words : questions(db)) out.push_back(run(words).out);
        return out;
    }();
    fs::permissions(directory.path(), fs::perms(0700));
    fs::permissions(db, fs::perms(0644));
    const auto same_answers = [&](const auto& ask) {
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const Words words = questions(db)[i];
            CAPTURE(words);
            const Outcome outcome = ask(words);
            CHECK(outcome.status == 0);
            CHECK(outcome.out == answers[i]);
            CHECK(outcome.err.empty());
        }
        CHECK(count_files(directory) == 1);
    };
    const ProcessOptions nobody{.unprivileged = true};
    const auto as_nobody = [&](const Words& words) { return run(words, nobody); };
    SECTION("neither the file nor its directory is writable") {
        fs::permissions(db, fs::perms(0444));
        fs::permissions(directory.path(), fs::perms(0555));
        same_answers(as_nobody);
    }
    SECTION("its directory is not writable") {
        fs::permissions(db, fs::perms(0666));
        fs::permissions(directory.path(), fs::perms(0555));
        same_answers(as_nobody);
    }
    SECTION("the file is not writable") {
        fs::permissions(db, fs::perms(0444));
        fs::permissions(directory.path(), fs::perms(0777));
        same_answers(as_nobody);
    }
    SECTION("the file system is read-only") {
        const auto ask = [&](const Words& words) {
            Words inside{"unshare",
                         "-rm",
                         "sh",
                         "-c",
                         "d=$1; shift; mount --bind \"$d\" \"$d\" &&"
                         " mount -o remount,bind,ro \"$d\" || exit 99; exec \"$@\"",
                         "sh",
                         directory.path(),
                         FENDEX_BINARY};
            inside.insert(inside.end(), words.begin(), words.end());
            return run_process(inside);
        };
        if (ask({"--version"}).status != 0) {
            WARN("no file systems can be mounted here: not tested");
            return;
        }
        same_answers(ask);
    }
}
