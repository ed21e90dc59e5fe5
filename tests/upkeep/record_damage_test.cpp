// Damaged tables of records of positions: a check finds it, a reader does not show it, and a repair
// keeps all other records.
#include <fstream>
#include <map>
#include <random>

#include "store/sqlite/file_store.hpp"
#include "support/record_texts.hpp"
#include "upkeep/compact.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

const std::string kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
const std::string kStartLine = kStart + " ce 20;\n";

/// Lines of long records.
std::string random_text(unsigned seed, int lines) {
    return record_lines(seed, lines, std::string(100, '.'));
}

/// A database of one game, whose records take several blocks, and a run that is not merged.
class WithRecords {
  public:
    WithRecords() : path_(directory_ / "records.db") {
        const std::string game = directory_.write("game.pgn", "1. e4 e5 *\n");
        const std::string merged = directory_.write("merged.jsonl", random_text(1, 400));
        const std::string waiting = directory_.write("waiting.jsonl", random_text(2, 300));
        static_cast<void>(ingest::import_files(path_, {game, merged}, {}));
        // An import that is stopped leaves a run.
        ingest::ImportOptions options;
        options.batch_bytes = options.read_bytes = 4096;
        unsigned calls = 0;
        options.stop = [&] { return ++calls > 60; };
        REQUIRE(ingest::import_files(path_, {waiting}, options).stopped);
        REQUIRE(store::file_store(path_)->reader()->info().record_runs == 1);
    }
    const std::string& path() const { return path_; }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};

const char* const kDamage[] = {
    "DELETE FROM record_block WHERE first_key = (SELECT max(first_key) FROM record_block)",
    "DELETE FROM record_block WHERE first_key = (SELECT min(first_key) FROM record_block)",
    "DELETE FROM record_block",
    "UPDATE record_block SET data = zeroblob(length(data)) WHERE first_key ="
    " (SELECT max(first_key) FROM record_block)",
    "UPDATE record_block SET data = substr(data, 1, 5) WHERE first_key ="
    " (SELECT min(first_key) FROM record_block)",
    "UPDATE record_block SET first_key = first_key + 1 WHERE first_key ="
    " (SELECT max(first_key) FROM record_block)",
    "INSERT INTO record_block SELECT first_key + 5, data FROM record_block LIMIT 1",
    "UPDATE meta SET value = value + 1 WHERE name = 'records'",
    "DELETE FROM record_run",
    "UPDATE record_run SET first_key = first_key + 1",
    "UPDATE record_run SET records = records + 1",
    "DELETE FROM record_run_block WHERE id = (SELECT min(id) FROM record_run_block)",
    "UPDATE record_run_block SET data = x'00' WHERE id = (SELECT max(id) FROM record_run_block)",
    "UPDATE record_run_block SET run = 77 WHERE id = (SELECT max(id) FROM record_run_block)",
    "UPDATE record_source SET records = 5",
    "UPDATE record_source SET source = 99 WHERE source = (SELECT max(source) FROM record_source)",
};

}  // namespace

TEST_CASE("A check finds damaged records, and a repair keeps all others") {
    const WithRecords intact;
    const Records before = records_of(intact.path());
    REQUIRE(before.size() > 400);
    CHECK(checked(intact.path()).findings.empty());
    const TemporaryDirectory directory;
    for (const char* const damage : kDamage) {
        CAPTURE(damage);
        const std::string path = directory / "damaged.db";
        std::filesystem::copy_file(intact.path(), path,
                                   std::filesystem::copy_options::overwrite_existing);
        REQUIRE(run_sql(path, damage));
        const upkeep::CheckReport report = checked(path);
        INFO(text_of(report.findings));
        CHECK(kinds_of(report.findings).contains("record"));
        const upkeep::RepairReport repaired = upkeep::repair_database(path, {});
        CHECK(repaired.records != 0);
        const upkeep::CheckReport again = checked(path);
        INFO(text_of(again.findings));
        CHECK(again.findings.empty());
        for (const auto& [epd, text] : records_of(path)) {
            const auto known = before.find(epd);
            REQUIRE(known != before.end());
            // A position may have lost what one of two places had of it.
            CHECK(known->second.substr(0, epd.size()) == text.substr(0, epd.size()));
        }
        // What can still be imported goes on.
        static_cast<void>(
            ingest::import_files(path, {directory.write("more.epd", kStartLine)}, {}));
        CHECK(records_of(path).contains(kStart));
    }
}

TEST_CASE("A compact database has its records in one block a key") {
    const WithRecords database;
    const Records before = records_of(database.path());
    REQUIRE(upkeep::compact(database.path(), {}));
    CHECK(records_of(database.path()) == before);
    const store::StoreInfo info = store::file_store(database.path())->reader()->info();
    CHECK(info.record_runs == 0);
    CHECK(info.records == before.size());
    CHECK(info.free_bytes == 0);
    CHECK(checked(database.path()).findings.empty());
}

TEST_CASE("Records of a malformed file are copied to a new one as far as they can be read") {
    const WithRecords database;
    const Records before = records_of(database.path());
    const std::uint64_t pages = std::filesystem::file_size(database.path()) / 16384;
    std::mt19937_64 random(5);
    for (unsigned round = 0; round < 4; ++round) {
        const TemporaryDirectory directory;
        const std::string path = directory / "malformed.db";
        std::filesystem::copy_file(database.path(), path);
        // The last pages have records.
        const std::uint64_t page = pages - 1 - random() % (pages / 2);
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(page * 16384));
        file << std::string(16384, '\x5A');
        file.close();
        CAPTURE(page);
        static_cast<void>(upkeep::repair_database(path, {}));
        const upkeep::CheckReport report = checked(path);
        INFO(text_of(report.findings));
        CHECK(report.findings.empty());
        const Records after = records_of(path);
        CHECK(!after.empty());  // even if the page was that which finds the others
        for (const auto& each : after) CHECK(before.contains(each.first));
    }
}
