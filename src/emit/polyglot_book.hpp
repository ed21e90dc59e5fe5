// Opening books as Polyglot reads them: 16 bytes for each move of each position, big-endian: the
// position's Polyglot key, the move, its weight, and 4 bytes for the engine's own use (0). Sorted
// by key, the heaviest move first. The weight is 2 for a win of the mover and 1 for a draw, summed
// over games and scaled where a position's would not fit 16 bits; moves that never scored are left
// out, and so are null moves and positions with a castling right that Polyglot has no key for.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "chess/position.hpp"
#include "emit/game_batches.hpp"

namespace fendex::emit {

struct BookChoice {
    /// Moves played in fewer games are left out.
    std::uint64_t min_games = 1;
    /// Moves that lead beyond this ply are left out.
    std::uint32_t max_ply = std::numeric_limits<std::uint32_t>::max();
    std::size_t memory_bytes = std::size_t{1} << 30;
    std::string directory;  // of temporary files
};

/// Returns how many entries were written.
std::uint64_t export_polyglot_book(const ExportJob& job, const BookChoice& choice, ByteSink& sink);

/// Polyglot's key: en passant counts where a pawn stands ready to capture, legally or not.
std::uint64_t polyglot_key(const chess::Position& position);
/// False where a right is on a rook that is not the outermost of its side.
bool has_polyglot_key(const chess::Position& position);
/// Castling is king takes own rook.
std::uint16_t polyglot_move(chess::Move move);

}  // namespace fendex::emit
