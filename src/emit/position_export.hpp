// Writes the distinct positions of games, each with the number and results of the games that
// reached it. Any number of positions is sorted in bounded memory, by key for counting and by first
// occurrence for writing. So each game is replayed twice, and nothing is looked up. Positions with
// equal keys count as equal.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "chess/any_position.hpp"
#include "emit/game_batches.hpp"

namespace fendex::emit {

/// Which positions are exported, and the resources for sorting them.
struct PositionChoice {
    std::uint64_t min_games = 1;
    std::uint32_t max_ply = std::numeric_limits<std::uint32_t>::max();
    std::size_t memory_bytes = std::size_t{1} << 30;
    std::string directory = {};  // for temporary files
};

/// Counts of distinct games; those without a known result count only in `games`.
struct PositionTally {
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;  // a game may have several
    std::uint64_t white = 0;
    std::uint64_t draws = 0;
    std::uint64_t black = 0;
};

/// Appends a position as it was when first reached; called in many threads.
using AppendPosition = std::function<void(const chess::AnyPosition& position,
                                          const PositionTally& tally, std::string& out)>;

/// Exports positions in the order of their first occurrence. Returns their number.
std::uint64_t export_positions(const ExportJob& job, const PositionChoice& choice,
                               const AppendPosition& append, ByteSink& sink);

enum class RecordFormat { kEpd, kFen };

/// Writes a line per position: its EPD with the counts in the comment operation, c0 "games 12,
/// occurrences 13"; or only its FEN as it was when first reached, because readers of FEN do not
/// know operations.
std::uint64_t export_position_records(const ExportJob& job, const PositionChoice& choice,
                                      RecordFormat format, ByteSink& sink);

}  // namespace fendex::emit
