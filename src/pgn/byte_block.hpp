// Sixteen bytes of text, compared at once. Written with the vectors that GCC and Clang offer for
// all processors. Pure functions.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/little_endian.hpp"

namespace fendex::pgn {

using ByteBlock [[gnu::vector_size(16)]] = unsigned char;
/// The result of a comparison: all bits of a byte are set, or none.
using BlockMatches [[gnu::vector_size(16)]] = signed char;
inline constexpr std::ptrdiff_t kBlockBytes = sizeof(ByteBlock);

/// Reads the sixteen bytes at `p`.
inline ByteBlock load_block(const char* p) {
    ByteBlock block;
    std::memcpy(&block, p, sizeof block);
    return block;
}

/// Matches bytes from `low` to `high`.
inline BlockMatches within(ByteBlock block, unsigned char low, unsigned char high) {
    return block - low <= static_cast<unsigned char>(high - low);
}

inline bool any(BlockMatches matches) {
    std::uint64_t halves[2];
    std::memcpy(halves, &matches, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

/// Returns the place of the first match; kBlockBytes if there is none.
inline std::ptrdiff_t first_of(BlockMatches matches) {
    std::uint64_t halves[2];
    std::memcpy(halves, &matches, sizeof halves);
    std::ptrdiff_t place = 0;
    for (std::uint64_t half : halves) {
        half = base::little_endian(half);
        if (half != 0) return place + std::countr_zero(half) / 8;
        place += 8;
    }
    return place;
}

}  // namespace fendex::pgn
