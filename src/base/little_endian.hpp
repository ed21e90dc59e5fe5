// Words as they are in memory and in files: the lowest byte first.
#pragma once

#include <bit>
#include <cstdint>

namespace fendex::base {

/// Converts a word between this machine's order of bytes and little-endian order, either way.
constexpr std::uint64_t little_endian(std::uint64_t word) {
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    return word;
}

}  // namespace fendex::base
