// Repairs a damaged database from its games: index, sums, facts, signatures, repetitions, ply rows,
// ledger and counters are written anew. Games that cannot be replayed to their end are cut after
// their last good ply, and an import error is recorded for each. The tables are repaired in one
// transaction, which leaves all games unindexed; then the index is built. If a repair is killed,
// the committed part can be read, and the repair may be run again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "store/sqlite/repair/repair_doubts.hpp"

namespace fendex::upkeep {

struct RepairOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// Called now and then with the last game whose tables are repaired; not called while the index
    /// is built.
    std::function<void(std::uint64_t game)> progress;
};

struct RepairReport {
    std::uint64_t games = 0;
    std::uint64_t cut = 0;        // games that lost plies
    std::uint64_t tags_lost = 0;  // games whose tag pairs without a column could not be read
    std::uint64_t annotations_lost = 0;
    std::uint64_t records = 0;       // what was damaged in the tables of records of positions
    std::uint64_t joined_names = 0;  // damaged rows of joined names
    std::uint64_t numbers = 0;       // games that had an impossible number
    std::uint64_t columns = 0;       // references to missing rows, and impossible values
    std::uint64_t rows = 0;          // other rows of games that were corrected
    bool malformed = false;          // SQLite could not read the file, which was written anew
    std::uint64_t unreadable = 0;    // runs of rows that could not be read from it
    /// Data whose checksum was wrong: games, and data that is stored only once. It was kept, and
    /// errors were recorded.
    std::vector<store::Doubt> doubts{};
};

/// Throws StoreError if the file's list of tables cannot be read, or none of its games; the message
/// says what can be done. If memory runs out or the disk fails, a healthy database keeps its games
/// unchanged.
RepairReport repair_database(const std::string& path, const RepairOptions& options);

}  // namespace fendex::upkeep
