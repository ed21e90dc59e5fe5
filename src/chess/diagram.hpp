// A board in text, White below.
#pragma once

#include <string>

#include "chess/any_position.hpp"

namespace fendex::chess {

std::string diagram(const Position& position);
/// Pieces in hand, if there are any, follow in a line below.
std::string diagram(const VariantPosition& position);
std::string diagram(const AnyPosition& position);

}  // namespace fendex::chess
