// What an engine says of a position, in one number.
#pragma once

#include <compare>
#include <cstdint>

namespace fendex::codec {

/// Centipawns, or moves to mate (negative: Black mates), from White's view.
struct Score {
    bool is_mate = false;
    std::int32_t value = 0;

    auto operator<=>(const Score&) const = default;
};

}  // namespace fendex::codec
