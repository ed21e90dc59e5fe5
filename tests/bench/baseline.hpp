// The yardstick: games into SQLite as most people would write it. A table and an index on the key,
// then one row per ply with the FEN as text, in one transaction and through a prepared statement.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::bench {

struct BaselineResult {
    std::uint64_t plies = 0;  // moves; rows are as many more as there are games
    std::uint64_t bytes = 0;
    double seconds = 0;
};

/// kLast is what those do who know how SQLite works. It can be done once only: whoever appends to a
/// database has the index already.
enum class IndexMade { kFirst, kLast };

/// Stores at most `games` games of the archive in a new database.
BaselineResult run_baseline(const std::string& archive, std::uint64_t games,
                            const std::string& database, IndexMade index);

}  // namespace fendex::bench
