// Checks the consistency of a database. Everything that is stored twice is compared with its
// origin: index, sums, facts and rows with the games, games with their tags, counters and ledger
// with both, and the file with itself. Takes about as long as indexing the games again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "upkeep/damage.hpp"

namespace fendex::upkeep {

struct CheckProgress {
    enum class Phase { kFile, kGames, kIndex };
    Phase phase = Phase::kFile;
    std::uint64_t done = 0;
    std::uint64_t total = 0;  // games, or partitions of a segment
};

struct CheckOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// If set, only this many random games are checked, and not every byte of the file is read.
    std::optional<std::uint64_t> sample = {};
    std::uint64_t seed = 0;  // of the sample
    /// Called now and then, in the calling thread.
    std::function<void(const CheckProgress&)> progress = {};
    /// Called now and then, by any thread; if it returns true, the check ends.
    std::function<bool()> stop = {};
};

/// Findings, and how much was checked.
struct CheckReport {
    bool stopped = false;  // the other members hold what was found so far
    Findings findings;
    std::uint64_t games = 0;
    std::uint64_t positions = 0;
    std::uint64_t segments = 0;
    std::uint64_t postings = 0;
    /// False if the rows that are stored only once could not be compared with checksums, because an
    /// older program wrote last.
    bool has_row_sums = true;
    /// False if time controls and incomplete dates were not compared with their tags, because a
    /// program with other rules read them.
    bool has_tag_facts = true;
    /// False if the swings of annotated games were not compared, because an earlier program did not
    /// find them.
    bool has_swings = true;
};

/// Checks one snapshot; an import may go on meanwhile. Throws StoreError if the file cannot be
/// opened as a fendex database.
[[nodiscard]] CheckReport check_database(const std::string& path, const CheckOptions& options);

}  // namespace fendex::upkeep
