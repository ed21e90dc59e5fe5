// Games that differ by a number, and checks for a database of them.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "ingest/ingest_fixtures.hpp"
#include "upkeep/database_check.hpp"

namespace fendex::test {

inline std::string event_of(unsigned number) {
    const std::string digits = std::to_string(number);
    return std::string(8 - digits.size(), '0') + digits;
}

/// Returns games of some 50 bytes each; one in a hundred has an error.
inline std::string numbered_games(unsigned first, unsigned last) {
    std::string text;
    for (unsigned i = first; i <= last; ++i) {
        text += "[Event \"" + event_of(i) + "\"]\n\n" +
                (i % 100 == 7 ? "1. e4 e5 2. Ke3 *\n\n" : "1. e4 e5 2. d4 1-0\n\n");
    }
    return text;
}

inline std::uint64_t errors_of_numbered(unsigned last) { return (last + 93) / 100; }

inline std::vector<std::string> events(const Imported& imported) {
    return imported.rows("SELECT e.name FROM game g JOIN event e ON e.id = g.event ORDER BY g.id");
}

inline void check_whole(const Imported& imported) {
    const upkeep::CheckReport report = upkeep::check_database(imported.path(), {});
    for (const upkeep::Damage& each : report.findings.listed()) CHECK(each.message.empty());
    CHECK(imported.info().unindexed_games == 0);
}

/// Checks that the first games are there, each once, with their errors.
inline void check_once(const Imported& imported, unsigned last) {
    std::vector<std::string> expected;
    for (unsigned i = 1; i <= last; ++i) expected.push_back(event_of(i));
    CHECK((events(imported) == expected));
    CHECK(imported.info().errors == errors_of_numbered(last));
    check_whole(imported);
}

/// Options for many commits and reads.
inline ingest::ImportOptions small_parts() {
    ingest::ImportOptions options{.threads = 2,
                                  .ply_rows = ingest::PlyRowChoice::kNo,
                                  .batch_bytes = 20'000,
                                  .read_bytes = 5000,
                                  .plies_per_commit = 1};
    return options;
}

struct Killed {};

/// Runs an import that is killed after so many batches; false if it has ended before.
template <typename Import>
bool killed_after(unsigned batches, Import import) {
    ingest::ImportOptions options = small_parts();
    unsigned stored = 0;
    options.progress = [&](const ingest::ImportProgress& progress) {
        if (progress.phase == ingest::ImportProgress::Phase::kReading && ++stored == batches) {
            throw Killed();
        }
    };
    try {
        import(options);
        return false;
    } catch (const Killed&) {
        return true;
    }
}

}  // namespace fendex::test
