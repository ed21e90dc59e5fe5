// A single move with its number: "35.Qg4", for Black "35…Qg4".
#pragma once

#include <string>
#include <string_view>

#include "chess/any_position.hpp"

namespace fendex::emit {

/// Puts the move number of the position before `move`, the SAN of a move played from there.
inline std::string numbered(const chess::AnyPosition& before, std::string_view move) {
    const bool white = before.side_to_move() == chess::Color::kWhite;
    return std::to_string(before.fullmove_number()).append(white ? "." : "\u2026").append(move);
}

}  // namespace fendex::emit
