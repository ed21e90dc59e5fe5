// A board as text, White at the bottom.
#pragma once

#include <string>

#include "chess/any_position.hpp"

namespace fendex::chess {

std::string diagram(const Position& position);
/// Adds a line with the pieces in hand, if there are any.
std::string diagram(const VariantPosition& position);
std::string diagram(const AnyPosition& position);

}  // namespace fendex::chess
