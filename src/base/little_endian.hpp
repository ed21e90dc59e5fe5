// Numbers as they are in memory and in files: the lowest byte first.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>

namespace fendex::base {

/// Converts a number between this machine's order of bytes and little-endian order, either way.
template <std::unsigned_integral Number>
constexpr Number little_endian(Number number) {
    if constexpr (std::endian::native == std::endian::little) return number;
    Number swapped = 0;
    for (std::size_t i = 0; i < sizeof number; ++i) {
        swapped = static_cast<Number>(swapped << 8 | (number >> (8 * i) & 0xFF));
    }
    return swapped;
}

}  // namespace fendex::base
