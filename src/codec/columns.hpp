// Chunks of fixed-width columns: a few bytes for each of kGamesPerChunk games, column after column,
// so that the values of any game are read without decoding those before it. Numbers are
// little-endian. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fendex::codec {

/// Chunk n begins with game n * kGamesPerChunk + 1.
inline constexpr std::size_t kGamesPerChunk = 4096;

/// bytes <= 8; higher bytes of `value` are cut off.
inline void put_fixed(std::uint64_t value, unsigned bytes, std::string& out) {
    for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// The caller must have checked that at + bytes <= s.size().
inline std::uint64_t get_fixed(std::string_view s, std::size_t at, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(s[at + i])} << (8 * i);
    }
    return value;
}

/// Decodes a column of numbers of `width` bytes, 1 to 4. The caller must have checked that
/// out.size() * width <= column.size().
void get_column(std::string_view column, unsigned width, std::span<std::uint32_t> out);

}  // namespace fendex::codec
