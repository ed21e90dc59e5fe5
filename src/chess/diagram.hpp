// A board in text, White below.
#pragma once

#include <string>

#include "chess/any_position.hpp"

namespace fendex::chess {

std::string diagram(const Position& position);
/// With the pieces in hand, where there are any, in a line below.
std::string diagram(const VariantPosition& position);
std::string diagram(const AnyPosition& position);

}  // namespace fendex::chess
