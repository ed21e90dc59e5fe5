// Says why a text is not a position.
#pragma once

#include <string>

#include "ask/pasted_position.hpp"

namespace fendex::ask {

/// Returns why the text, which was read as `read`, has no position. If it is a list of moves or a
/// bare placement, the reason names the option for that.
std::string reason_of(const std::string& text, const PositionText& read,
                      const PasteWords& words = {});

/// Returns whether the text is a list of moves: it begins with "1.", or its moves can be played
/// from the start position.
bool are_moves(const std::string& text);

}  // namespace fendex::ask
