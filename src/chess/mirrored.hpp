// Positions and moves with colours exchanged: the board is turned over, and White's men are
// Black's.
#pragma once

#include "chess/any_position.hpp"
#include "chess/types.hpp"

namespace fendex::chess {

/// Returns the position with colours exchanged: White's moves become Black's. The sides of the
/// variant must mirror each other (VariantRules::sides_mirror).
AnyPosition mirrored(const AnyPosition& position);
Move mirrored(Move move);

}  // namespace fendex::chess
