// Opening books as Polyglot reads them: 16 bytes for each move of each position, big-endian: the
// position's Polyglot key, the move, its weight, and 4 bytes for the engine's own use (0). Sorted
// by key, the heaviest move first. The weight is 2 for a win of the mover and 1 for a draw, summed
// over games and scaled where a position's would not fit 16 bits; moves that never scored are left
// out, and so are null moves and positions with a castling right that Polyglot has no key for.
#pragma once

#include <cstdint>
#include <string>

#include "chess/position.hpp"
#include "emit/position_export.hpp"

namespace fendex::emit {

/// Moves of fewer games, or that lead beyond the ply, are left out. Returns how many entries were
/// written.
std::uint64_t export_polyglot_book(const ExportJob& job, const PositionChoice& choice,
                                   ByteSink& sink);

/// Polyglot's key: en passant counts where a pawn stands ready to capture, legally or not.
std::uint64_t polyglot_key(const chess::Position& position);
/// False where a right is on a rook that is not the outermost of its side.
bool has_polyglot_key(const chess::Position& position);
/// Castling is king takes own rook.
std::uint16_t polyglot_move(chess::Move move);

}  // namespace fendex::emit
