// Moves given by hand on the command line, as in "1.e4 c5 2.Nf3" or "e2e4 c7c5".
#pragma once

#include <string>

#include "chess/any_position.hpp"

namespace fendex::cli {

/// Returns the position after `moves`, played from `start`; `option` names them in messages. PGN's
/// move numbers, comments in braces, glyphs and a result at the end may stand between the moves.
/// Throws UsageError if a move is illegal or if any part of the text would not be played.
chess::AnyPosition position_after(const chess::AnyPosition& start, const std::string& option,
                                  const std::string& moves);

}  // namespace fendex::cli
