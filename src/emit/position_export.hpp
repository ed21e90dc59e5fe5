// The distinct positions of games, each with how many games reached it and with what results.
// However many there are: they are sorted twice in bounded memory, by key to be counted and by
// their first occurrence to be written, so that each game is replayed twice and nothing is looked
// up. Positions are one where their keys are equal.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "chess/any_position.hpp"
#include "emit/game_batches.hpp"

namespace fendex::emit {

/// Which positions, and what they may take to be sorted.
struct PositionChoice {
    std::uint64_t min_games = 1;
    std::uint32_t max_ply = std::numeric_limits<std::uint32_t>::max();
    std::size_t memory_bytes = std::size_t{1} << 30;
    std::string directory;  // of temporary files
};

/// Distinct games; those without a known result are in no column but `games`.
struct PositionTally {
    std::uint64_t games = 0;
    std::uint64_t occurrences = 0;  // a game may come back to a position
    std::uint64_t white = 0;
    std::uint64_t draws = 0;
    std::uint64_t black = 0;
};

/// Appends a position as it stood when it was first reached; called in many threads.
using AppendPosition = std::function<void(const chess::AnyPosition& position,
                                          const PositionTally& tally, std::string& out)>;

/// In the order of the first occurrence. Returns how many there were.
std::uint64_t export_positions(const ExportJob& job, const PositionChoice& choice,
                               const AppendPosition& append, ByteSink& sink);

enum class RecordFormat { kEpd, kFen };

/// A line per position: its EPD with the counts in the comment operation, c0 "games 12, occurrences
/// 13"; or its FEN as it stood when it was first reached, and nothing else: readers of FEN know no
/// operations.
std::uint64_t export_position_records(const ExportJob& job, const PositionChoice& choice,
                                      RecordFormat format, ByteSink& sink);

}  // namespace fendex::emit
