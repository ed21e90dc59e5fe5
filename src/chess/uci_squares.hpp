// Reads the usual form of moves in UCI notation: two squares, and the piece that a pawn becomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "chess/types.hpp"

namespace fendex::chess {

struct UciSquares {
    Square from = kNoSquare;
    Square to = kNoSquare;
    PieceType promotion = PieceType::kNone;
};

/// Reads "e2e4" or "e7e8q". Returns false if the text has another form.
inline bool read_squares(std::string_view text, UciSquares& out) {
    if (text.size() != 4 && text.size() != 5) return false;
    const auto byte = [&](std::size_t i) {
        return std::uint32_t{static_cast<unsigned char>(text[i])} << (8 * i);
    };
    const std::uint32_t word =
        (byte(0) | byte(1) | byte(2) | byte(3)) -
        0x31'61'31'61;  // "a1a1": each byte becomes the number of a file or rank
    if ((word & 0xF8'F8'F8'F8) != 0) return false;
    out.from = (word & 7) | (word >> 5 & 0x38);
    out.to = (word >> 16 & 7) | (word >> 21 & 0x38);
    if (text.size() == 4) return true;
    switch (text[4]) {
        case 'n': out.promotion = PieceType::kKnight; return true;
        case 'b': out.promotion = PieceType::kBishop; return true;
        case 'r': out.promotion = PieceType::kRook; return true;
        case 'q': out.promotion = PieceType::kQueen; return true;
        default: return false;
    }
}

}  // namespace fendex::chess
