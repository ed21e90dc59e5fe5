#include <sys/stat.h>

#include <filesystem>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

/// Returns a command line for this database for every verb that opens one.
std::vector<Words> all_verbs_on(const std::string& database,
                                const std::string& input = kSamples + "/online.pgn") {
    return {{"find", database, kStart},
            {"games", database},
            {"show", database, "1"},
            {"info", database},
            {"import", database, input}};
}

std::string new_database(const TemporaryDirectory& directory, const std::string& name) {
    std::string path = directory / name;
    REQUIRE(run({"import", path, kSamples + "/online.pgn"}).status == 0);
    return path;
}

void sql(const std::string& database, const std::string& statements) {
    const Outcome outcome = run_process({"sqlite3", database, statements});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
}

}  // namespace

TEST_CASE("A file that is not a fendex database is refused by name and left unchanged") {
    const TemporaryDirectory directory;
    struct Case {
        std::string path;
        const char* reason;
    };
    std::vector<Case> cases;
    cases.push_back({directory.write("text", "no database, but some text\n"), "not a database"});
    cases.push_back({directory.path(), "directory"});
    cases.push_back({directory / "pipe.db", "is a pipe"});
    REQUIRE(::mkfifo(cases.back().path.c_str(), 0600) == 0);
    cases.push_back({directory / "plain.db", "is a SQLite database, but not one of fendex"});
    sql(cases.back().path, "CREATE TABLE game(id); INSERT INTO game VALUES (1)");
    cases.push_back({directory / "other.db", "of another program"});
    sql(cases.back().path, "PRAGMA application_id = 252006674; CREATE TABLE game(id)");
    cases.push_back({new_database(directory, "newer.db"), "newer"});
    sql(cases.back().path, "PRAGMA user_version = 9999");
    cases.push_back({new_database(directory, "none.db"), "no format version"});
    sql(cases.back().path, "PRAGMA user_version = 0");
    for (const Case& each : cases) {
        const std::string before = fs::is_regular_file(each.path) ? read_file(each.path) : "";
        for (const Words& words : all_verbs_on(each.path)) {
            CAPTURE(words);
            check_refused(run(words), {each.path, each.reason});
        }
        if (!before.empty()) CHECK((read_file(each.path) == before));
    }
    // If the database does not exist, only import creates it.
    for (const Words& words : all_verbs_on(directory / "none")) {
        if (words[0] == "import") continue;
        check_refused(run(words), {"none", "no such database"});
        CHECK_FALSE(fs::exists(directory / "none"));
    }
}

TEST_CASE("A database opens read-only, in a directory that cannot be written to") {
    const TemporaryDirectory directory;
    const std::string db = new_database(directory, "my.db");
    // The samples may be in a folder that only their owner can enter.
    const std::string input = directory.write("online.pgn", read_file(kSamples + "/online.pgn"));
    const std::string before = read_file(db);
    ::chmod(db.c_str(), 0444);
    ::chmod(directory.path().c_str(), 0555);
    const ProcessOptions unprivileged{.unprivileged = true};
    for (const Words& words : all_verbs_on(db, input)) {
        CAPTURE(words);
        const Outcome outcome = run(words, unprivileged);
        INFO(outcome.err);
        if (words[0] == "import") {
            check_refused(outcome, {db});
        } else {
            CHECK(outcome.status == 0);
            CHECK(outcome.err.empty());
            CHECK(outcome.out == run(words).out);
        }
    }
    CHECK((read_file(db) == before));
}

TEST_CASE("A damaged database is an error, not a crash") {
    const TemporaryDirectory directory;
    const std::string whole = read_file(new_database(directory, "my.db"));
    std::string zeroed = whole;
    std::fill(zeroed.begin() + 32768, zeroed.end(), '\0');
    std::string scrambled = whole;
    for (std::size_t i = 20'000; i < scrambled.size(); i += 97) scrambled[i] = static_cast<char>(i);
    for (const std::string& content :
         {whole.substr(0, whole.size() / 2), whole.substr(0, 50), zeroed, scrambled}) {
        CAPTURE(content.size());
        const std::string db = directory.write("damaged.db", content);
        for (const Words& words : all_verbs_on(db)) {
            CAPTURE(words);
            // `info` and `import` need not read the damaged bytes.
            const Outcome outcome = run(words);
            INFO(outcome.err);
            CHECK(outcome.status <= 2);
            if (words[0] == "find") check_refused(outcome, {db});
            directory.write("damaged.db", content);
        }
    }
}
