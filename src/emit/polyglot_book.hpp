// Writes opening books in Polyglot's format: 16 bytes for each move of each position, big-endian:
// the position's Polyglot key, the move, its weight, and 4 bytes for the engine's own use (0).
// Entries are sorted by key, the heaviest move first. The weight is 2 for a win of the mover and 1
// for a draw, summed over games and scaled if those of a position do not fit 16 bits; moves that
// never scored are left out, and so are null moves and positions with a castling right that
// Polyglot has no key for.
#pragma once

#include <cstdint>
#include <string>

#include "chess/position.hpp"
#include "emit/position_export.hpp"

namespace fendex::emit {

/// Leaves out moves that too few games played, and moves after the last ply of `choice`. Returns
/// the number of entries.
std::uint64_t export_polyglot_book(const ExportJob& job, const PositionChoice& choice,
                                   ByteSink& sink);

/// Returns Polyglot's key, in which en passant counts if a pawn is ready to capture, legally or
/// not.
std::uint64_t polyglot_key(const chess::Position& position);
/// Returns false if a castling right belongs to a rook that is not the outermost of its side.
bool has_polyglot_key(const chess::Position& position);
/// Returns Polyglot's code of a move; castling is king takes own rook.
std::uint16_t polyglot_move(chess::Move move);

}  // namespace fendex::emit
