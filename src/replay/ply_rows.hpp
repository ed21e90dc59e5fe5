// Makes the rows of table `ply` from a game's moves, during imports and for stored games.
#pragma once

#include <vector>

#include "chess/any_position.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// Appends the rows of table `ply` for a game from `start` on.
void append_ply_rows(const chess::AnyPosition& start, const std::vector<chess::Move>& moves,
                     const store::Occurrences& occurrences, chess::Variant variant,
                     store::PlyRowList& out);

}  // namespace fendex::replay
