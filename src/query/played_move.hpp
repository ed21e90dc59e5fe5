// Checks the moves that the index has for a position, because a damaged index may have any move.
// Pure functions.
#pragma once

#include "chess/any_position.hpp"

namespace fendex::query {

/// Returns whether a move can be made on the board at all. It need not be legal: if only the board
/// must match, castling rights and en passant may differ.
bool can_be_played(const chess::AnyPosition& position, chess::Move move);

/// Throws DamageError.
[[noreturn]] void throw_cannot_be_played(const chess::AnyPosition& position);

}  // namespace fendex::query
