// A damaged database made whole from its games: index, sums, facts, signatures, repetitions, ply
// rows, ledger and counters are written anew. Games that cannot be replayed to their end are cut to
// their last good ply, and that is recorded as an error of the import. The tables are repaired in
// one transaction, which leaves all games unindexed; then the index is made. Whenever it is killed,
// what was committed answers, and it may be run again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fendex::check {

struct RepairOptions {
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// Told now and then up to which game tables are repaired; then nothing until the end.
    std::function<void(std::uint64_t game)> progress;
};

struct RepairReport {
    std::uint64_t games = 0;
    std::uint64_t cut = 0;        // games that lost plies
    std::uint64_t tags_lost = 0;  // games whose tag pairs without a column could not be read
    std::uint64_t annotations_lost = 0;
    std::uint64_t numbers = 0;  // games that had a number that cannot be
    std::uint64_t columns = 0;  // references to nothing, and values that cannot be
    std::uint64_t rows = 0;     // other rows of games that were put right
};

/// Throws StoreError where the file itself is damaged, and says what can be done.
RepairReport repair_database(const std::string& path, const RepairOptions& options);

}  // namespace fendex::check
