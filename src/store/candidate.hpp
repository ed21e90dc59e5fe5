// A game that an index names for a position.
#pragma once

#include <cstdint>
#include <optional>

#include "chess/types.hpp"
#include "store/records.hpp"

namespace fendex::store {

/// A game that may have reached a position, with the values of its posting. `ply` and `next` are
/// not set if the game has at most one ply with that position; a replay finds the ply.
struct Candidate {
    GameId game = 0;
    std::optional<std::uint32_t> ply;
    chess::Move next;
};

}  // namespace fendex::store
