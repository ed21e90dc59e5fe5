// A board in text, White below.
#pragma once

#include <string>

#include "chess/position.hpp"
#include "chess/variant_position.hpp"

namespace fendex::chess {

std::string diagram(const Position& position);
/// With the pieces in hand, where there are any, in a line below.
std::string diagram(const VariantPosition& position);

}  // namespace fendex::chess
