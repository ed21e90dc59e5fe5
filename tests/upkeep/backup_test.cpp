// Backups: the database as of one moment, even while others write; and which files a backup never
// replaces.
#include "upkeep/backup.hpp"

#include <sys/stat.h>

#include <atomic>
#include <filesystem>

#include "ingest/ingest_fixtures.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file_store.hpp"
#include "upkeep/upkeep_fixtures.hpp"

namespace {

using namespace fendex;
using test::TemporaryDirectory;

/// A database and the place of its copies.
struct BackupPlace {
    TemporaryDirectory directory;
    std::string database = directory / "games.db";
    std::string copy = directory / "copies/copy.db";

    BackupPlace() {
        std::filesystem::create_directory(directory / "copies");
        add(30, 4711);
    }
    void add(unsigned games, std::uint64_t seed) const {
        const test::PgnArchive archive = test::random_archive(seed, games);
        ingest::import_files(database, {directory.write("a.pgn", archive.text())}, {});
    }
    std::uint64_t fingerprint(const std::string& path) const {
        return store::file_store(path)->reader()->info().fingerprint;
    }
    /// The directory contains the copy or nothing.
    void check_tidy() const {
        for (const auto& entry : std::filesystem::directory_iterator(directory / "copies")) {
            CHECK(entry.path() == copy);
        }
    }
    upkeep::BackupReport back_up(upkeep::BackupOptions options = {}) const {
        options.pages_at_once = 2;
        return upkeep::back_up(database, copy, options);
    }
};

}  // namespace

TEST_CASE("A backup is one file with the same query results, and replaces an earlier one") {
    const BackupPlace place;
    const std::string answers = test::answers_of(place.database);
    const upkeep::BackupReport report = place.back_up();
    CHECK(report.games == 30);
    CHECK(report.findings.empty());
    CHECK(report.bytes == std::filesystem::file_size(place.copy));
    CHECK((test::answers_of(place.copy) == answers));
    place.check_tidy();
    place.add(10, 4712);
    CHECK(place.back_up().games == 40);
    CHECK(place.fingerprint(place.copy) == place.fingerprint(place.database));
    place.check_tidy();
    // An import continues from the copy.
    CHECK(test::checked(place.copy).findings.empty());
    CHECK(ingest::import_files(place.copy, {place.directory / "a.pgn"}, {}).known_sources == 1);
}

TEST_CASE("A backup made during imports is the database as of one moment") {
    const BackupPlace place;
    const std::uint64_t before = place.fingerprint(place.database);
    unsigned imports = 0;
    upkeep::BackupOptions options;
    options.progress = [&](upkeep::BackupPhase phase, double share) {
        if (phase == upkeep::BackupPhase::kCopying && share > 0.3 && imports < 2) {
            place.add(5, 100 + ++imports);
        }
    };
    SECTION("as it was when the backup began") {
        CHECK(place.back_up(options).findings.empty());
        CHECK(place.fingerprint(place.copy) == before);
    }
    SECTION("a database of an earlier fendex is copied again after the first import") {
        REQUIRE(test::run_sql(place.database, "PRAGMA journal_mode = DELETE"));
        CHECK(place.back_up(options).findings.empty());
        CHECK(place.fingerprint(place.copy) != before);
    }
    CHECK(imports == 2);
    place.check_tidy();
    CHECK(store::file_store(place.database)->reader()->info().games == 40);
    CHECK(test::checked(place.database).findings.empty());
}

TEST_CASE("A backup can replace a file that others have open") {
    const BackupPlace place;
    place.back_up();
    const auto server = store::file_store(place.copy);
    const store::Reader reading = server->reader();
    place.add(3, 11);
    SECTION("the next reader sees the new content") {
        CHECK(place.back_up().games == 33);
        CHECK(reading->last_game() == 30);
        CHECK(server->reader()->last_game() == 33);
        CHECK(store::file_store(place.copy)->reader()->last_game() == 33);
        CHECK(place.fingerprint(place.copy) == place.fingerprint(place.database));
        CHECK(test::checked(place.copy).findings.empty());
    }
    SECTION("a stopped backup leaves the old content") {
        upkeep::BackupOptions options;
        bool was_checked = false;
        options.progress = [&](upkeep::BackupPhase phase, double) {
            if (phase == upkeep::BackupPhase::kChecking) was_checked = true;
        };
        options.stop = [&] { return was_checked; };
        CHECK(place.back_up(options).stopped);
        CHECK(server->reader()->last_game() == 30);
    }
}

TEST_CASE("A backup is compacted on request, and the database is not") {
    const BackupPlace place;
    for (unsigned i = 0; i < 3; ++i) place.add(3, i);
    const auto segments = [](const std::string& path) {
        return store::file_store(path)->reader()->info().index_pieces;
    };
    // Its games are in no segment.
    REQUIRE(test::run_sql(place.database, test::kForgetRowSums + "DELETE FROM segment"));
    const upkeep::BackupOptions options{.compact = true};
    CHECK(place.back_up(options).findings.empty());
    CHECK(segments(place.copy) == 1);
    CHECK(segments(place.database) == 0);
    CHECK(store::file_store(place.copy)->reader()->info().free_bytes == 0);
    place.check_tidy();
}

TEST_CASE("A backup that is stopped, or would be damaged, leaves the earlier one") {
    const BackupPlace place;
    place.back_up();
    const std::uint64_t earlier = place.fingerprint(place.copy);
    place.add(5, 1);
    for (unsigned last = 1; last < 40; last += 6) {
        std::atomic<unsigned> calls = 0;
        upkeep::BackupOptions options{.compact = true};
        options.stop = [&] { return ++calls >= last; };
        const bool stopped = place.back_up(options).stopped;
        CHECK((stopped || last > 3));
        place.check_tidy();
        if (!stopped) break;
        CHECK(place.fingerprint(place.copy) == earlier);
    }
    BackupPlace other;
    other.back_up();
    const std::uint64_t whole = other.fingerprint(other.copy);
    REQUIRE(test::run_sql(other.database, "UPDATE game SET plies = plies + 1 WHERE id = 7"));
    CHECK_FALSE(other.back_up().findings.empty());
    CHECK(other.fingerprint(other.copy) == whole);
    CHECK(test::checked(other.copy).findings.empty());
    other.check_tidy();
}

TEST_CASE("A backup replaces nothing but an earlier backup") {
    const BackupPlace place;
    const auto refused = [&](const std::string& target, const std::string& why) {
        const std::string before =
            std::filesystem::is_regular_file(target) ? test::read_file(target) : "";
        CHECK_THROWS_WITH(upkeep::back_up(place.database, target, {}), Catch::Contains(why));
        if (!before.empty()) CHECK((test::read_file(target) == before));
    };
    refused(place.directory.write("text.db", "something else"), "is not a database of fendex");
    refused(place.directory.write("empty.db", ""), "is not a database of fendex");
    const std::string foreign = place.directory / "foreign.db";
    REQUIRE(test::run_sql(foreign, "CREATE TABLE t(a)"));
    refused(foreign, "is not a database of fendex");
    refused(place.directory / "copies", "is a directory");
    refused(place.database, "is the database itself");
    std::filesystem::create_hard_link(place.database, place.directory / "link.db");
    refused(place.directory / "link.db", "is the database itself");
    refused(place.database + "-wal", "a file that belongs to it");
    refused(place.database + "-writer", "a file that belongs to it");
    CHECK_THROWS_WITH(upkeep::back_up(place.directory / "none.db", place.copy, {}),
                      Catch::Contains("no such database"));
    CHECK_THROWS_WITH(upkeep::back_up(place.database, place.directory / "no/copy.db", {}),
                      Catch::Contains("No such file"));

    place.back_up();
    {
        const auto writer = store::file_store(place.copy)->writer("import");
        refused(place.copy, "is being written by process");
        writer->close();
    }
    std::ofstream(place.copy + "-wal") << "what another program has not written back yet";
    refused(place.copy, "is in use");
    std::filesystem::remove(place.copy + "-wal");
    // A killed reader leaves these.
    std::ofstream(place.copy + "-wal").close();
    std::ofstream(place.copy + "-shm").close();
    CHECK(place.back_up().games == 30);
    place.check_tidy();
    place.add(1, 5);
    CHECK_THROWS_WITH(upkeep::back_up(place.copy, place.database, {}),
                      Catch::Contains("are the two swapped?"));
    CHECK(place.back_up().games == 31);
    place.check_tidy();
}

TEST_CASE("A backup gets the permissions of the file that it replaces, else of the database") {
    const BackupPlace place;
    const auto mode = [&] {
        struct stat status {};
        REQUIRE(::stat(place.copy.c_str(), &status) == 0);
        return status.st_mode & 0777U;
    };
    REQUIRE(::chmod(place.database.c_str(), 0600) == 0);
    place.back_up();
    CHECK(mode() == 0600);
    REQUIRE(::chmod(place.copy.c_str(), 0640) == 0);
    place.back_up();
    CHECK(mode() == 0640);
    // A link stays a link; the file it points to is replaced.
    const std::string link = place.directory / "link.db";
    std::filesystem::create_symlink(place.copy, link);
    CHECK(upkeep::back_up(place.database, link, {}).findings.empty());
    CHECK(std::filesystem::is_symlink(link));
    CHECK(mode() == 0640);
}
