// A move as people write it down by itself: "35.Qg4", "35…Qg4" for Black.
#pragma once

#include <string>
#include <string_view>

#include "chess/any_position.hpp"

namespace fendex::cli {

/// `move` is what follows the number: the SAN of a move that is played from this position.
inline std::string numbered(const chess::AnyPosition& before, std::string_view move) {
    const bool white = before.side_to_move() == chess::Color::kWhite;
    return std::to_string(before.fullmove_number()).append(white ? "." : "\u2026").append(move);
}

}  // namespace fendex::cli
