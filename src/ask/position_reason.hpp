// Says why a text is not a position.
#pragma once

#include <string>

#include "ask/pasted_position.hpp"

namespace fendex::ask {

/// Returns why the text, which was read as `read`, has no position. If it is a list of moves or a
/// bare placement, the reason names the option for that.
std::string reason_of(const std::string& text, const PositionText& read,
                      const PasteWords& words = {});

/// Returns what is wrong in one word, for programs: the field of the FEN with _ for blanks,
/// "moves", or "no_position" if the text is an address or the like.
std::string detail_of(const std::string& text, const PositionText& read);

/// Returns whether the text is a list of moves: it begins with "1.", or its moves can be played
/// from the start position.
bool are_moves(const std::string& text);

}  // namespace fendex::ask
