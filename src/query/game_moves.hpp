// The moves of a stored game as a list, for comparing games.
#pragma once

#include <cstdint>
#include <string>

#include "replay/stored_walk.hpp"

namespace fendex::query {

/// A game's moves, one per character.
using Moves = std::u16string;

/// Returns at most the first `up_to` moves of a game.
inline Moves moves_of(store::GameId id, const store::StoredMoves& stored, std::uint32_t up_to) {
    Moves moves;
    replay::with_walk(id, stored, [&](auto& walk) {
        for (; !walk.at_end() && walk.ply() < up_to; walk.advance()) {
            moves += static_cast<char16_t>(walk.next_move().bits());
        }
    });
    return moves;
}

}  // namespace fendex::query
