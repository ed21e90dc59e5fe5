// What killed processes left beside a database goes with the next verb that writes to it.
#include <filesystem>
#include <set>

#include "base/unfinished.hpp"
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Contains;
using Names = std::set<std::string>;

Names names_in(const TemporaryDirectory& directory) {
    Names names;
    for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

/// Leaves what a writer leaves that is killed while it shrinks the file.
void leave_remains(const TemporaryDirectory& directory) {
    directory.write("my.db-writer", "fendex writer: process 99999999 (compact, since 00:00:00)");
    std::filesystem::create_directory(directory / "my.db.fendex-part-99999999");
    directory.write("my.db.fendex-part-99999999/copy.db", "half");
}

const std::string& small_database() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        std::string db = directory / "small.db";
        REQUIRE(run({"import", db, "-"}, small_game(1) + small_game(2)).status == 0);
        return db;
    }();
    return path;
}

}  // namespace

TEST_CASE("The next verb that writes removes what a killed process left, and nothing else") {
    for (const Words& words : std::vector<Words>{{"import", "-"},
                                                 {"delete", "--games", "9"},
                                                 {"compact"},
                                                 {"materialize"},
                                                 {"upgrade"},
                                                 {"repair"}}) {
        CAPTURE(words);
        const TemporaryDirectory directory;
        const std::string db = directory / "my.db";
        std::filesystem::copy_file(small_database(), db);
        const fendex::base::UnfinishedDirectory living(db);
        leave_remains(directory);
        directory.write("my.db.fendex-part-notes", "the user's");
        Words with_database = words;
        with_database.insert(with_database.begin() + 1, db);
        const Outcome outcome = run(with_database, small_game(3));
        INFO(outcome.err);
        CHECK(outcome.status == (words[0] == "delete" ? 1 : 0));
        CHECK(names_in(directory) ==
              Names{"my.db", "my.db.fendex-part-notes",
                    std::filesystem::path(living.path()).filename().string()});
    }
}

TEST_CASE("An empty file that an import left is reported as empty and can be filled") {
    const TemporaryDirectory directory;
    const std::string db = directory.write("my.db", "");
    for (const Words& words :
         std::vector<Words>{{"check", db}, {"info", db}, {"find", db, kStart}}) {
        check_refused(run(words), {db, "is empty", "interrupted before anything was stored"});
    }
    CHECK(names_in(directory) == Names{"my.db"});
    CHECK(run({"import", db, "-"}, small_game(1)).status == 0);
    CHECK_THAT(run({"check", db}).err, Contains("clean: 1 game, "));
    CHECK(names_in(directory) == Names{"my.db"});
}
