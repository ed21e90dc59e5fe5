// The yardstick: games into SQLite as most people would write it. One row per ply with the FEN as text,
// in one transaction through a prepared statement, and an index on the key afterwards.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::bench {

struct BaselineResult {
    std::uint64_t plies = 0;  // moves; rows are as many more as there are games
    std::uint64_t bytes = 0;
    double seconds = 0;
};

/// Stores at most `games` games of the archive in a new database.
BaselineResult run_baseline(const std::string& archive, std::uint64_t games,
                            const std::string& database);

}  // namespace fendex::bench
