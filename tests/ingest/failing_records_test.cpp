// After any failing call of the file system, and after a power cut at any time, while records are
// imported: the database is intact, no record that was seen is lost, and the rest can be imported.
#include "ingest/ingest_fixtures.hpp"
#include "support/failing_vfs.hpp"
#include "support/record_texts.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"
#include "upkeep/database_check.hpp"

namespace {

using namespace fendex;
using test::FailingVfs;
using test::Records;
using test::TemporaryDirectory;
using test::VfsCall;
using test::VfsFault;

/// Many commits, a run for each, and several merges.
ingest::ImportOptions commits_of_records() {
    ingest::ImportOptions options{.batch_bytes = 2048, .read_bytes = 1024};
    options.memory_bytes = std::size_t{16} << 10;
    return options;
}

/// Returns how many lines were read, by the ledger.
std::uint64_t lines_of(const std::string& path) {
    std::uint64_t lines = 0;
    for (const store::StoredSource& each : store::file_store(path)->reader()->sources()) {
        lines += each.records.value_or(0);
    }
    return lines;
}

/// Two files that have some positions in common, and what a database has of them in the end.
class RecordImport {
  public:
    RecordImport()
        : inputs_{
              own_.write("first.jsonl", test::record_lines(1, 120)),
              own_.write("second.jsonl", test::record_lines(2, 60) + test::record_lines(1, 60))} {
        run(own_ / "whole.db");
        truth_ = test::records_of(own_ / "whole.db");
    }

    void run(const std::string& path) const {
        static_cast<void>(ingest::import_files(path, inputs_, commits_of_records()));
    }
    std::size_t size() const { return truth_.size(); }

    /// Checks a database after an import that may have ended early. Returns its records.
    std::size_t check_part(const std::string& path) const {
        try {
            store::file_store(path)->require_readable();
        } catch (const store::StoreError&) {
            return 0;
        }
        const upkeep::Findings findings = upkeep::check_database(path, {}).findings;
        for (const upkeep::Damage& damage : findings.listed()) {
            FAIL_CHECK(damage.kind << ": " << damage.message);
        }
        std::ptrdiff_t unknown = 0;
        const Records found = test::records_of(path);
        for (const auto& [epd, text] : found) unknown += truth_.contains(epd) ? 0 : 1;
        CHECK(unknown == 0);
        return found.size();
    }
    /// Imports the rest.
    void finish(const std::string& path) const {
        run(path);
        CHECK(check_part(path) == size());
        CHECK((test::records_of(path) == truth_));
        CHECK(lines_of(path) == 240);
    }

  private:
    TemporaryDirectory own_;
    std::vector<std::string> inputs_;
    Records truth_;
};

const VfsFault kRecordFaults[] = {
    {VfsCall::kWrite, test::kWalFile, 1, 1, SQLITE_IOERR_WRITE},
    {VfsCall::kWrite, test::kAnyFile, 1, VfsFault::kForEver, SQLITE_FULL},
    {VfsCall::kRead, test::kMainFile, 1, 1, SQLITE_IOERR_READ},
    {VfsCall::kRead, test::kWalFile, 1, 1, SQLITE_IOERR_READ},
    {VfsCall::kSync, test::kAnyFile, 1, 1, SQLITE_IOERR_FSYNC},
    {VfsCall::kTruncate, test::kAnyFile, 1, 1, SQLITE_IOERR_TRUNCATE},
};

}  // namespace

TEST_CASE("An import of records with a failing file system loses nothing", "[full]") {
    FailingVfs vfs;
    test::Random random(13);
    const RecordImport import;
    for (VfsFault fault : kRecordFaults) {
        const TemporaryDirectory directory;
        vfs.count(fault.call, fault.files);
        import.run(directory / "counted.db");
        const std::uint64_t calls = vfs.calls();
        vfs.heal();
        for (const std::uint64_t n :
             test::sampled_calls(calls, test::at_size<std::size_t>(2, 20), random)) {
            INFO("call " << n << " of " << calls << ", " << fault.code);
            const std::string path = directory / (std::to_string(n) + ".db");
            fault.first = n;
            vfs.fail(fault);
            bool completed = false;
            try {
                import.run(path);
                completed = true;
            } catch (const store::StoreError& error) {
                CHECK(std::string(error.what()).find(path) != std::string::npos);
            }
            vfs.heal();
            const std::size_t found = import.check_part(path);
            if (completed) CHECK(found == import.size());
            import.finish(path);
        }
    }
}

TEST_CASE("A power cut during an import of records loses none that a reader has seen", "[full]") {
    FailingVfs vfs;
    test::Random random(14);
    const RecordImport import;
    std::size_t partial = 0;
    for (std::uint64_t sync = 1;; sync += test::at_size(3U, test::kSanitized ? 3U : 1U)) {
        const TemporaryDirectory directory;
        const std::string path = directory / "cut.db";
        std::uint64_t seen = 0;
        vfs.cut_power(VfsCall::kSync, sync, [&] {
            vfs.read_number(path, "SELECT coalesce(sum(records), 0) FROM record_source", seen);
        });
        bool completed = false;
        try {
            import.run(path);
            completed = true;
        } catch (const store::StoreError&) {
        }
        const bool off = vfs.power_is_off();
        vfs.restore_power(random());
        INFO("sync " << sync << ", " << seen << " lines seen before");
        const std::size_t found = import.check_part(path);
        if (seen != 0) CHECK(lines_of(path) >= seen);
        if (completed) CHECK(found == import.size());
        partial += found != 0 && found != import.size();
        import.finish(path);
        if (!off) {
            CHECK(completed);
            CHECK(sync > 10);
            break;
        }
    }
    CHECK(partial != 0);
}
