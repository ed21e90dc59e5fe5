// A board in text, White below.
#pragma once

#include <string>

#include "chess/position.hpp"

namespace fendex::chess {

std::string diagram(const Position& position);

}  // namespace fendex::chess
