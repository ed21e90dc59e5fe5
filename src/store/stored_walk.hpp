// The walk through a stored game.
#pragma once

#include "codec/game_walk.hpp"
#include "store/records.hpp"

namespace fendex::store {

/// Throws StoreError where the stored start is no position.
chess::Position start_position(GameId game, const StoredMoves& moves);
/// Throws as start_position() does. The walk has views into `moves`.
codec::GameWalk walk(GameId game, const StoredMoves& moves);

/// Throws StoreError where the walk came to moves that are none.
void require_intact(GameId game, const codec::GameWalk& walk);
[[noreturn]] void throw_damaged_moves(GameId game, std::uint32_t ply);

}  // namespace fendex::store
