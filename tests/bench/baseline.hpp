// The baseline: games stored in SQLite in the straightforward way. A table with an index on the
// key, and one row per ply with the FEN as text, in one transaction and with a prepared statement.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::bench {

struct BaselineResult {
    std::uint64_t plies = 0;  // moves; each game has one row more
    std::uint64_t bytes = 0;
    double seconds = 0;
};

/// kLast is what users who know SQLite do. It helps only the first import: a database that is
/// appended to already has the index.
enum class IndexMade { kFirst, kLast };

/// Stores at most `games` games of the archive in a new database.
BaselineResult run_baseline(const std::string& archive, std::uint64_t games,
                            const std::string& database, IndexMade index);

}  // namespace fendex::bench
