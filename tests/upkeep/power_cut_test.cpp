// The power fails while a database is changed. Afterwards its state is that before the change or
// that after it, nothing between; a check finds nothing; and the change can be made again.
#include <filesystem>
#include <set>

#include "ingest/ingest_fixtures.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/failing_vfs.hpp"
#include "support/record_texts.hpp"
#include "support/test_size.hpp"
#include "upkeep/backup.hpp"
#include "upkeep/compact.hpp"
#include "upkeep/materialize.hpp"
#include "upkeep/upkeep_fixtures.hpp"

namespace {

using namespace fendex;
using test::FailingVfs;
using test::TemporaryDirectory;
using test::TemporaryFile;
using test::VfsCall;

constexpr unsigned kGames = 24;

/// Imports records, and stops before the end.
void import_and_stop(const std::string& path, const std::string& lines) {
    ingest::ImportOptions options{.batch_bytes = 1024, .read_bytes = 1024};
    unsigned calls = 0;
    options.stop = [&] { return ++calls > 30; };
    REQUIRE(ingest::import_files(path, {lines}, options).stopped);
    REQUIRE(store::file_store(path)->reader()->info().record_runs != 0);
}

/// A database with several segments, some games in none, with or without ply rows; and records of
/// positions, a part of which an import that was stopped has left in runs.
std::string small_database(const TemporaryDirectory& directory, ingest::PlyRowChoice rows) {
    const test::PgnArchive archive = test::random_archive(99, kGames);
    const std::string path = directory / "before.db";
    ingest::ImportOptions options{.ply_rows = rows, .segment_postings = 400};
    for (unsigned first = 0; first < kGames; first += kGames / 3) {
        const std::string pgn = directory.write("a.pgn", archive.text(first, first + kGames / 3));
        options.again = true;
        ingest::import_files(path, {pgn}, options);
    }
    ingest::import_files(path, {directory.write("merged.jsonl", test::record_lines(1, 40))}, {});
    import_and_stop(path, directory.write("stopped.jsonl", test::record_lines(2, 60)));
    return path;
}

void delete_some(const std::string& path) { test::delete_games(path, {2, 3, 5, 11, 23}); }

/// Checks with one thread in a quick run: starting more takes longer than such a check.
unsigned threads() { return test::at_size(1U, 2U); }

bool has_ply_rows(const std::string& path) {
    store::Connection connection = store::open_database(path, store::Connection::Mode::kReadOnly);
    return connection.text("SELECT value FROM meta WHERE name = 'ply_rows'") == "yes";
}

/// The results of all queries, and the number of ply rows.
std::string state_of(const std::string& path) {
    std::string out = test::answers_of(path);
    store::Connection connection = store::open_database(path, store::Connection::Mode::kReadOnly);
    if (connection.text("SELECT value FROM meta WHERE name = 'ply_rows'") == "yes") {
        out +=
            "\nply rows: " + std::to_string(connection.integer("SELECT count(*) FROM ply").value());
    }
    return out;
}

void copy_over(const std::string& from, const std::string& to) {
    for (const char* const suffix : {"-wal", "-shm", "-journal", "-writer"}) {
        std::filesystem::remove(to + suffix);
    }
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
}

/// Cuts the power at sampled syncs and writes of change(), each time after prepare(); then calls
/// verify(completed).
template <typename Prepare, typename Change, typename Verify>
void cut_everywhere(Prepare prepare, Change change, Verify verify) {
    FailingVfs vfs;
    test::Random random(12);
    for (const VfsCall call : {VfsCall::kSync, VfsCall::kWrite}) {
        prepare();
        vfs.count(call);
        change();
        const std::uint64_t calls = vfs.calls();
        vfs.heal();
        REQUIRE(calls > 1);
        for (const std::uint64_t n :
             test::sampled_calls(calls, test::at_size<std::size_t>(4, 150), random)) {
            INFO("power cut at " << (call == VfsCall::kSync ? "sync " : "write ") << n << " of "
                                 << calls);
            prepare();
            vfs.cut_power(call, n);
            bool completed = false;
            try {
                change();
                completed = true;
            } catch (const store::StoreError&) {
            }
            vfs.restore_power(random());
            verify(completed);
        }
    }
}

/// Like the function above, for a change of the database itself. `mark` returns a value that the
/// change changes.
template <typename Change, typename Mark>
void cut_change(const std::string& before, Change change, Mark mark) {
    const TemporaryFile path("games.db");
    copy_over(before, path);
    const auto state_before = state_of(path);
    const auto mark_before = mark(path);
    change(path);
    const auto state_after = state_of(path);
    const auto mark_after = mark(path);
    REQUIRE(mark_before != mark_after);
    std::size_t happened = 0;
    std::size_t cuts = 0;
    const auto verify = [&](bool completed) {
        const auto found = mark(path);
        CHECK((found == mark_after || (!completed && found == mark_before)));
        CHECK((state_of(path) == (found == mark_after ? state_after : state_before)));
        const upkeep::CheckReport report = test::checked(path, threads());
        INFO(test::text_of(report.findings));
        CHECK(report.findings.empty());
        happened += found == mark_after;
        ++cuts;
        change(path);
        CHECK((state_of(path) == state_after));
    };
    cut_everywhere([&] { copy_over(before, path); }, [&] { change(path); }, verify);
    CHECK(happened != 0);
    CHECK(happened < cuts);
}

}  // namespace

TEST_CASE("A power cut during a deletion: all of the games are deleted or none", "[full]") {
    for (const auto rows : {ingest::PlyRowChoice::kNo, ingest::PlyRowChoice::kYes}) {
        const TemporaryDirectory own;
        cut_change(small_database(own, rows), delete_some, [](const std::string& path) {
            return store::file_store(path)->reader()->info().games;
        });
    }
}

TEST_CASE("A power cut while a database is compacted changes no query result", "[full]") {
    const TemporaryDirectory directory;
    const std::string before = small_database(directory, ingest::PlyRowChoice::kNo);
    delete_some(before);
    const auto segments = [](const std::string& path) {
        return store::file_store(path)->reader()->info().index_pieces;
    };
    cut_change(
        before, [](const std::string& path) { upkeep::compact(path, {}); }, segments);
}

TEST_CASE("A power cut while records are removed: all are removed or none", "[full]") {
    const TemporaryDirectory directory;
    cut_change(
        small_database(directory, ingest::PlyRowChoice::kNo),
        [](const std::string& path) {
            const auto writer = store::file_store(path)->writer("delete");
            writer->records()->remove_all();
            writer->commit();
            writer->close();
        },
        [](const std::string& path) { return store::file_store(path)->reader()->info().records; });
}

TEST_CASE("A power cut while ply rows are written: all are stored or none", "[full]") {
    const TemporaryDirectory directory;
    cut_change(
        small_database(directory, ingest::PlyRowChoice::kNo),
        [](const std::string& path) { upkeep::materialize(path); }, has_ply_rows);
}

TEST_CASE("A power cut while ply rows are dropped: all remain or none", "[full]") {
    const TemporaryDirectory directory;
    cut_change(
        small_database(directory, ingest::PlyRowChoice::kYes),
        [](const std::string& path) { upkeep::drop_ply_rows(path); }, has_ply_rows);
}

TEST_CASE("A power cut during a repair: the database is as damaged as before, or intact",
          "[full]") {
    const TemporaryDirectory directory;
    const std::string before = small_database(directory, ingest::PlyRowChoice::kYes);
    const std::string whole = state_of(before);
    REQUIRE(test::run_sql(before,
                          "UPDATE ply SET fen = 'x' WHERE game_id = 3;"
                          "DELETE FROM segment WHERE id = (SELECT min(id) FROM segment);"
                          "UPDATE meta SET value = value + 1 WHERE name = 'plies';"
                          "DELETE FROM repetition"));
    const std::set<std::string> damage = test::kinds_of(test::checked(before).findings);
    REQUIRE_FALSE(damage.empty());
    const std::string path = directory / "games.db";
    std::size_t repaired = 0;
    const auto repair = [&] { upkeep::repair_database(path, {}); };
    cut_everywhere([&] { copy_over(before, path); }, repair,
                   [&](bool completed) {
                       const upkeep::CheckReport report = test::checked(path, threads());
                       INFO(test::text_of(report.findings));
                       const bool clean = report.findings.empty();
                       CHECK((clean || (!completed && test::kinds_of(report.findings) == damage)));
                       if (clean) CHECK((state_of(path) == whole));
                       repaired += clean;
                       repair();
                       CHECK(test::checked(path, threads()).findings.empty());
                       CHECK((state_of(path) == whole));
                   });
    CHECK(repaired != 0);
}

TEST_CASE("A power cut during a backup leaves the earlier copy or the new one", "[full]") {
    const TemporaryDirectory directory;
    const std::string earlier = small_database(directory, ingest::PlyRowChoice::kNo);
    const std::string database = directory / "games.db";
    copy_over(earlier, database);
    ingest::import_files(database, {directory.write("b.pgn", test::random_archive(7, 5).text())},
                         {});
    const std::string state_earlier = state_of(earlier);
    const std::string state_now = state_of(database);
    for (const bool compact : {false, true}) {
        const TemporaryDirectory place;
        const std::string copy = place / "copy.db";
        const auto back_up = [&] {
            const upkeep::BackupReport report =
                upkeep::back_up(database, copy, {.compact = compact, .pages_at_once = 3});
            CHECK(report.findings.empty());
        };
        std::size_t remains = 0;
        const auto verify = [&](bool completed) {
            const std::string state = state_of(copy);
            CHECK((state == state_now || (!completed && state == state_earlier)));
            CHECK(test::checked(copy, threads()).findings.empty());
            CHECK((state_of(database) == state_now));
            const auto files = [&] {
                return std::distance(std::filesystem::directory_iterator(place.path()), {});
            };
            remains += files() != 1;
            back_up();
            CHECK((state_of(copy) == state_now));
            CHECK(files() == 1);
        };
        cut_everywhere([&] { copy_over(earlier, copy); }, back_up, verify);
        CHECK(remains != 0);
    }
}
