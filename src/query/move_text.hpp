// Reads a condition on a move from a text like SAN. Errors are values and say where the text is
// wrong. Any thread may use it.
//
// `Nf3` is a knight's move to f3, whether it captures or not; `Nxf3` only captures, and `Rac1`,
// `dxe5` and `O-O` are as in SAN. Each part may be left out: `N` is any move of a knight, `xf7` any
// capture on f7, `=Q` any promotion to a queen. `[KP]` is one of these pieces, `[^P]` none of
// these, `!` any piece; after the x they are what is captured: `[KP]xQ`. `N@f3` is a drop.
// `Nf3-g1-e2` is a route: the knight goes from f3 to g1, and to e2 by its next move.
#pragma once

#include <string>
#include <string_view>

#include "query/move_condition.hpp"

namespace fendex::query {

/// Adds the conditions of the text to `out`. Returns what is wrong, and where; empty if all is
/// well.
[[nodiscard]] std::string read_move_condition(std::string_view text, MoveCondition& out);

}  // namespace fendex::query
