// The swings of a stored game, by the evaluations in its annotations.
#pragma once

#include <string_view>

#include "codec/swing.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// `annotation` is a stream of codec::AnnotationStreamWriter, which may be empty. What it says of
/// plies that the game does not have is left out, and so is what comes after damage.
[[nodiscard]] codec::GameSwings swings_of_stored(const store::StoredMoves& moves,
                                                 std::string_view annotation);

}  // namespace fendex::replay
