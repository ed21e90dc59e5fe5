// After any failing call of the file system, and after a power cut at any time: exactly the
// committed data is there, no answer is wrong, and the rest can be imported.
#include "support/failing_vfs.hpp"

#include <algorithm>
#include <filesystem>

#include "ingest/ingest_fixtures.hpp"
#include "query/position_search.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"
#include "upkeep/database_check.hpp"
#include "upkeep/materialize.hpp"

namespace {

using namespace fendex;
using test::FailingVfs;
using test::PgnArchive;
using test::TemporaryDirectory;
using test::TemporaryFile;
using test::VfsCall;
using test::VfsFault;

/// Every (game, ply) that reached a position.
using Standings = std::map<std::uint64_t, std::vector<std::pair<store::GameId, std::uint32_t>>>;

/// A small archive and its correct answers.
struct Truth {
    PgnArchive archive = test::random_archive(4711, 48);
    std::vector<std::pair<chess::Position, Standings::mapped_type>> positions;

    Truth() {
        std::map<std::uint64_t, std::size_t> known;
        for (std::size_t i = 0; i < archive.games.size(); ++i) {
            chess::Position position = archive.games[i].start;
            for (std::uint32_t ply = 0;; ++ply) {
                const auto [at, fresh] = known.emplace(position.key(), positions.size());
                if (fresh) positions.push_back({position, {}});
                positions[at->second].second.emplace_back(i + 1, ply);
                if (ply == archive.games[i].moves.size()) break;
                position.play(archive.games[i].moves[ply]);
            }
        }
    }
};

const Truth& truth() {
    static const Truth value;
    return value;
}

/// Options for several commits and several segments.
ingest::ImportOptions small_commits() {
    ingest::ImportOptions options{.ply_rows = ingest::PlyRowChoice::kNo,
                                  .batch_bytes = 2048,
                                  .read_bytes = 1024,
                                  .plies_per_commit = 400,
                                  .segment_postings = 900};
    return options;
}

/// Searches every `step`-th position; the result must be that of the first `games` games.
void check_answers(store::StoreReader& reader, std::size_t games, std::size_t step) {
    query::GameMatcher matcher(reader, {});
    query::PositionSearch search(reader, matcher);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < truth().positions.size(); i += step) {
        const auto& [position, all] = truth().positions[i];
        Standings::mapped_type found;
        search.find(query::Question::of(position), [&](const query::Hit& hit) {
            for (const std::uint32_t ply : hit.plies) found.emplace_back(hit.game, ply);
            return true;
        });
        Standings::mapped_type expected = all;
        std::erase_if(expected, [&](const auto& standing) { return standing.first > games; });
        if (found != expected) ++wrong;
    }
    CHECK(wrong == 0);
}

/// Checks a database with the first games of the archive, which must be those of whole commits.
/// Returns their number.
std::size_t check_whole(const std::string& path) {
    const upkeep::CheckReport report = upkeep::check_database(path, {});
    for (const upkeep::Damage& damage : report.findings.listed()) {
        FAIL_CHECK(damage.kind << ": " << damage.message);
    }
    const store::Reader reader = store::file_store(path)->reader();
    const store::StoreInfo info = reader->info();
    const std::size_t games = info.games;
    CHECK(games <= truth().archive.games.size());
    CHECK(info.fingerprint == truth().archive.fingerprint(games));
    check_answers(*reader, games, info.unindexed_games == 0 ? test::at_size(17U, 1U) : 29U);
    store::StoredMoves moves;
    for (std::size_t i = 1; i <= games; ++i) {
        if (!reader->moves(i, moves) ||
            moves.facts.plies != truth().archive.games[i - 1].moves.size()) {
            FAIL_CHECK("game " << i << " is not what it was");
        }
    }
    CHECK_FALSE(reader->moves(games + 1, moves));
    return games;
}

/// Repeats the import, which continues where the other ended.
void finish(const std::string& path, const std::string& archive, std::size_t games) {
    const ingest::ImportSummary rest = ingest::import_files(path, {archive}, small_commits());
    CHECK(rest.games == truth().archive.games.size() - games);
    CHECK(check_whole(path) == truth().archive.games.size());
}

/// Returns whether the database was created; after an earlier failure an import starts again.
bool is_database(const std::string& path) {
    try {
        store::file_store(path)->require_readable();
        return true;
    } catch (const store::StoreError&) {
        if (std::filesystem::exists(path)) {
            store::Connection connection(path, store::Connection::Mode::kReadWrite);
            CHECK(connection.integer("PRAGMA page_count") == 0);
        }
        return false;
    }
}

struct Injection {
    const char* name;
    VfsFault fault;
};

const Injection kInjections[] = {
    {"open", {VfsCall::kOpen, test::kAnyFile, 1, 1, SQLITE_CANTOPEN}},
    {"read the database", {VfsCall::kRead, test::kMainFile, 1, 1, SQLITE_IOERR_READ}},
    {"read the log", {VfsCall::kRead, test::kWalFile, 1, 1, SQLITE_IOERR_READ}},
    {"write the database", {VfsCall::kWrite, test::kMainFile, 1, 1, SQLITE_IOERR_WRITE}},
    {"write the log", {VfsCall::kWrite, test::kWalFile, 1, 1, SQLITE_IOERR_WRITE}},
    {"write half to the log", {VfsCall::kWrite, test::kWalFile, 1, 1, SQLITE_FULL, true}},
    {"write half to the database", {VfsCall::kWrite, test::kMainFile, 1, 1, SQLITE_FULL, true}},
    {"write the journal", {VfsCall::kWrite, test::kJournalFile, 1, 1, SQLITE_IOERR_WRITE}},
    {"write a temporary file", {VfsCall::kWrite, test::kTemporaryFile, 1, 1, SQLITE_FULL}},
    {"disk full", {VfsCall::kWrite, test::kAnyFile, 1, VfsFault::kForEver, SQLITE_FULL}},
    {"sync", {VfsCall::kSync, test::kAnyFile, 1, 1, SQLITE_IOERR_FSYNC}},
    {"sync for ever", {VfsCall::kSync, test::kAnyFile, 1, VfsFault::kForEver, SQLITE_IOERR_FSYNC}},
    {"truncate", {VfsCall::kTruncate, test::kAnyFile, 1, 1, SQLITE_IOERR_TRUNCATE}},
    {"delete", {VfsCall::kDelete, test::kAnyFile, 1, 1, SQLITE_IOERR_DELETE}},
    {"map shared memory", {VfsCall::kShmMap, test::kAnyFile, 1, 1, SQLITE_IOERR_SHMMAP}},
    {"lock shared memory", {VfsCall::kShmLock, test::kAnyFile, 1, 1, SQLITE_IOERR_SHMLOCK}},
    {"lock the file", {VfsCall::kLock, test::kAnyFile, 1, 1, SQLITE_IOERR_LOCK}},
};

/// How many calls of a kind are made to fail, one after the other.
const std::size_t kSamples = test::at_size<std::size_t>(1, test::kSanitized ? 2 : 12);

}  // namespace

TEST_CASE("An import with a failing file system loses nothing that was committed", "[full]") {
    FailingVfs vfs;
    test::Random random(8);
    // A quick run has every second failure here, and the others in the test of materialize.
    std::size_t round = 0;
    for (const Injection& injection : kInjections) {
        if (test::left_to_full_size(round++, 2)) continue;
        std::uint64_t calls = 0;
        {
            const TemporaryDirectory directory;
            const std::string archive = directory.write("a.pgn", truth().archive.text());
            vfs.count(injection.fault.call, injection.fault.files);
            ingest::import_files(directory / "games.db", {archive}, small_commits());
            calls = vfs.calls();
        }
        for (const std::uint64_t n : test::sampled_calls(calls, kSamples, random)) {
            INFO(injection.name << ", call " << n << " of " << calls);
            const TemporaryDirectory directory;
            const std::string path = directory / "games.db";
            const std::string archive = directory.write("a.pgn", truth().archive.text());
            VfsFault fault = injection.fault;
            fault.first = n;
            vfs.fail(fault);
            bool completed = false;
            try {
                ingest::import_files(path, {archive}, small_commits());
                completed = true;
            } catch (const store::StoreError& error) {
                CHECK(std::string(error.what()).find(path) != std::string::npos);
            }
            vfs.heal();
            if (!is_database(path)) {
                CHECK_FALSE(completed);
                finish(path, archive, 0);
                continue;
            }
            const std::size_t games = check_whole(path);
            if (completed) CHECK(games == truth().archive.games.size());
            finish(path, archive, games);
        }
    }
}

TEST_CASE("A full disk is an error that says what to do") {
    FailingVfs vfs;
    const TemporaryDirectory directory;
    const std::string archive = directory.write("a.pgn", truth().archive.text());
    vfs.fail({VfsCall::kWrite, test::kWalFile, 1, VfsFault::kForEver, SQLITE_FULL});
    CHECK_THROWS_WITH(ingest::import_files(directory / "games.db", {archive}, {}),
                      Catch::Contains("disk is full; make room there and run this again"));
}

TEST_CASE("A power cut during an import loses nothing that a reader has seen", "[full]") {
    FailingVfs vfs;
    test::Random random(9);
    for (std::uint64_t sync = 1;; sync += test::at_size(5U, test::kSanitized ? 5U : 1U)) {
        const TemporaryFile path("games.db");
        const std::string archive = path.write_beside("a.pgn", truth().archive.text());
        std::uint64_t seen = 0;
        vfs.cut_power(VfsCall::kSync, sync, [&] {
            vfs.read_number(path, "SELECT value FROM meta WHERE name = 'games'", seen);
        });
        bool completed = false;
        try {
            ingest::import_files(path, {archive}, small_commits());
            completed = true;
        } catch (const store::StoreError&) {
        }
        const bool off = vfs.power_is_off();
        vfs.restore_power(random());
        INFO("sync " << sync << ", " << seen << " games seen before");
        const std::size_t games = is_database(path) ? check_whole(path) : 0;
        CHECK(games >= seen);
        if (completed) CHECK(games == truth().archive.games.size());
        finish(path, archive, games);
        if (!off) {
            CHECK(completed);
            CHECK(sync > 10);  // there were enough calls to cut
            break;
        }
    }
}

TEST_CASE("A reader with a failing file system gives an error or the right answer", "[full]") {
    FailingVfs vfs;
    test::Random random(10);
    const TemporaryFile path("games.db");
    const std::string archive = path.write_beside("a.pgn", truth().archive.text());
    ingest::import_files(path, {archive}, small_commits());
    for (const Injection& injection : {kInjections[0], kInjections[1], kInjections[16]}) {
        const auto ask = [&] { check_answers(*store::file_store(path)->reader(), 48, 53); };
        vfs.count(injection.fault.call, injection.fault.files);
        ask();
        const std::uint64_t calls = vfs.calls();
        std::size_t errors = 0;
        for (const std::uint64_t n :
             test::sampled_calls(calls, std::max<std::size_t>(8, 4 * kSamples), random)) {
            INFO(injection.name << ", call " << n << " of " << calls);
            VfsFault fault = injection.fault;
            fault.first = n;
            fault.count = 2;  // opening reads once and leaves the error to the next that reads
            vfs.fail(fault);
            try {
                ask();
            } catch (const store::StoreError&) {
                ++errors;
            }
            vfs.heal();
        }
        CHECK(errors != 0);
        ask();
    }
}

TEST_CASE("materialize with a failing file system has stored all rows or none", "[full]") {
    FailingVfs vfs;
    test::Random random(11);
    const TemporaryDirectory directory;
    const std::string archive = directory.write("a.pgn", truth().archive.text());
    const std::string before = directory / "before.db";
    ingest::import_files(before, {archive}, small_commits());
    const auto rows_of = [](const std::string& path) {
        store::Connection connection =
            store::open_database(path, store::Connection::Mode::kReadOnly);
        return connection.text("SELECT value FROM meta WHERE name = 'ply_rows'") == "yes"
                   ? connection.integer("SELECT count(*) FROM ply")
                   : std::nullopt;
    };
    std::size_t round = 1;
    for (const Injection& injection : kInjections) {
        if (test::left_to_full_size(round++, 2)) continue;
        const std::string path = directory / "games.db";
        const auto start = [&] {
            for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
                std::filesystem::remove(path + suffix);
            }
            std::filesystem::copy_file(before, path);
        };
        start();
        vfs.count(injection.fault.call, injection.fault.files);
        upkeep::materialize(path, {});
        const std::uint64_t calls = vfs.calls();
        const auto all = rows_of(path);
        REQUIRE(all.value_or(0) > 0);
        for (const std::uint64_t n : test::sampled_calls(calls, (kSamples + 1) / 2, random)) {
            INFO(injection.name << ", call " << n << " of " << calls);
            start();
            VfsFault fault = injection.fault;
            fault.first = n;
            vfs.fail(fault);
            bool completed = false;
            try {
                upkeep::materialize(path, {});
                completed = true;
            } catch (const store::StoreError&) {
            }
            vfs.heal();
            const auto rows = rows_of(path);
            CHECK((rows == all || (!rows && !completed)));
            CHECK(check_whole(path) == truth().archive.games.size());
            upkeep::materialize(path, {});
            CHECK(rows_of(path) == all);
        }
    }
}
