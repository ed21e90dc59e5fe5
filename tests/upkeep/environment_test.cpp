// Memory that runs out and disks that cannot be read say nothing about the data: a repair changes
// no game then, and a check finds no damage.
#include <random>

#include "store/sqlite/repair/repair_tables.hpp"
#include "support/failing_memory.hpp"
#include "support/failing_vfs.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

/// Games with tags of all kinds, comments, variations that are indexed, and errors.
const std::string& intact() {
    static const TemporaryDirectory directory;
    static const std::string path = [] {
        std::string out = directory / "intact.db";
        ingest::ImportOptions options;
        options.annotations = options.variations = true;
        const std::string pgn = archive_with_everything(3) +
                                "[White \"Z\"]\n[Annotator \"Y\"]\n[WhiteElo \"2100\"]\n\n"
                                "1. c4 {one} (1. d4 d5 {two}) c5 2. Nc3 $1 {three} Qxx 0-1\n\n"
                                "[Opening \"?\"]\n\n{four} 1. e4 {[%clk 0:03:00]} e5 *\n";
        ingest::import_files(out, {directory.write("a.pgn", pgn)}, options);
        return out;
    }();
    return path;
}

/// What cannot be computed from anything else.
std::string originals_of(const std::string& path) {
    std::string out;
    sqlite3* db = nullptr;
    sqlite3_open(path.c_str(), &db);
    for (const char* const table : {"game", "annotation", "import_error", "source", "player",
                                    "event", "site", "tag_value", "tag_shape", "dictionary"}) {
        const auto append = [](void* text, int columns, char** values, char**) {
            for (int i = 0; i < columns; ++i) {
                *static_cast<std::string*>(text) += values[i] == nullptr ? "NULL" : values[i];
                *static_cast<std::string*>(text) += '|';
            }
            return 0;
        };
        std::string columns;
        const auto name = [](void* names, int, char** values, char**) {
            std::string& list = *static_cast<std::string*>(names);
            list += (list.empty() ? "quote(" : "), quote(") + std::string(values[1]);
            return 0;
        };
        sqlite3_exec(db, (std::string("PRAGMA table_info(") + table + ")").c_str(), name, &columns,
                     nullptr);
        const std::string sql = "SELECT " + columns + ") FROM " + table;
        REQUIRE(sqlite3_exec(db, sql.c_str(), append, &out, nullptr) == SQLITE_OK);
    }
    sqlite3_close(db);
    return out;
}

upkeep::RepairOptions one_thread() {
    upkeep::RepairOptions options;
    options.memory_bytes = 1 << 22;
    return options;
}

/// Returns whether the work failed, which must not be for damage.
template <typename Work>
bool fails_without_damage(Work work) {
    try {
        work();
        return false;
    } catch (const store::DamageError& error) {
        FAIL_CHECK("said to be damage: " << error.what());
    } catch (const std::exception&) {
    }
    return true;
}

/// Calls inject(n) with the numbers of some of `calls` failures before each repair.
template <typename Inject, typename Heal>
void repair_with_failures(std::uint64_t calls, Inject inject, Heal heal) {
    static const std::string originals = originals_of(intact());
    const TemporaryFile path("a.db");
    std::mt19937_64 random(3);
    unsigned failed = 0;
    REQUIRE(calls > 20);
    for (const std::uint64_t n : sampled_calls(calls, fewer(at_size(10U, 400U)), random)) {
        INFO("failure " << n << " of " << calls);
        for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(path + end);
        std::filesystem::copy_file(intact(), path,
                                   std::filesystem::copy_options::overwrite_existing);
        inject(n);
        failed += fails_without_damage([&] { upkeep::repair_database(path, one_thread()); });
        heal();
        CHECK((originals_of(path) == originals));
        const upkeep::CheckReport report = checked(path, 1);
        INFO(text_of(report.findings));
        CHECK(report.findings.empty());
    }
    CHECK(failed > 0);
}

/// Calls inject(n) with the numbers of some of `calls` failures before each check.
template <typename Inject, typename Heal>
void check_with_failures(std::uint64_t calls, Inject inject, Heal heal) {
    std::mt19937_64 random(4);
    unsigned failed = 0;
    REQUIRE(calls > 20);
    for (const std::uint64_t n : sampled_calls(calls, fewer(at_size(30U, 600U)), random)) {
        inject(n);
        std::string findings;
        const bool has_failed =
            fails_without_damage([&] { findings = text_of(checked(intact(), 1).findings); });
        heal();
        INFO("failure " << n << " of " << calls);
        CHECK(findings.empty());
        failed += has_failed;
    }
    CHECK(failed > 0);
}

}  // namespace

TEST_CASE("Whichever allocation fails, a repair changes no game") {
    static_cast<void>(intact());
    FailingMemory memory;
    for (const Allocations which : {Allocations::kOfSqlite, Allocations::kOfProgram}) {
        const TemporaryFile path("a.db");
        std::filesystem::copy_file(intact(), path);
        memory.count(which);
        upkeep::repair_database(path, one_thread());
        repair_with_failures(
            memory.heal(), [&](std::uint64_t n) { memory.fail(which, n); }, [&] { memory.heal(); });
    }
}

TEST_CASE("A repair that has no memory to read a game keeps its tags") {
    const std::string originals = originals_of(intact());
    const TemporaryFile path("a.db");
    const auto restore = [&] {
        std::filesystem::copy_file(intact(), path,
                                   std::filesystem::copy_options::overwrite_existing);
    };
    FailingMemory memory;
    restore();
    memory.count(Allocations::kOfSqlite);
    {
        store::RepairTables tables(path);
        tables.repair_columns();
        tables.repair_numbers();
    }
    const std::uint64_t before_games = memory.heal();
    REQUIRE(before_games > 50);
    for (std::uint64_t n = before_games - 50; n < before_games + 50; ++n) {
        INFO("failure " << n);
        for (const char* end : {"-wal", "-shm"}) std::filesystem::remove(path + end);
        restore();
        memory.fail(Allocations::kOfSqlite, n);
        fails_without_damage([&] { upkeep::repair_database(path, one_thread()); });
        memory.heal();
        CHECK((originals_of(path) == originals));
    }
}

TEST_CASE("Whichever allocation fails, a check finds no damage") {
    static_cast<void>(intact());
    FailingMemory memory;
    for (const Allocations which : {Allocations::kOfSqlite, Allocations::kOfProgram}) {
        memory.count(which);
        CHECK(checked(intact(), 1).findings.empty());
        check_with_failures(
            memory.heal(), [&](std::uint64_t n) { memory.fail(which, n); }, [&] { memory.heal(); });
    }
}

TEST_CASE("Whichever read fails, a repair changes no game and a check finds no damage") {
    static_cast<void>(intact());
    FailingVfs vfs;
    const TemporaryFile path("a.db");
    std::filesystem::copy_file(intact(), path);
    const auto inject = [&](std::uint64_t n) {
        vfs.fail({VfsCall::kRead, kAnyFile, n, 1, SQLITE_IOERR_READ});
    };
    vfs.count(VfsCall::kRead);
    upkeep::repair_database(path, one_thread());
    repair_with_failures(vfs.calls(), inject, [&] { vfs.heal(); });
    vfs.count(VfsCall::kRead);
    CHECK(checked(intact(), 1).findings.empty());
    check_with_failures(vfs.calls(), inject, [&] { vfs.heal(); });
}
