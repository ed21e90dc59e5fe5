// Diagrams as SVG, for pages that need nothing else. Pure functions.
#pragma once

#include <string>

#include "chess/position.hpp"

namespace fendex::emit {

/// Returns an invisible SVG element that defines the twelve pieces. A page needs it once, before
/// its boards.
[[nodiscard]] std::string svg_pieces();

/// Returns a board as an SVG element, with the side `below` at the bottom. Pages set its width.
[[nodiscard]] std::string svg_board(const chess::Position& position, chess::Color below);

}  // namespace fendex::emit
