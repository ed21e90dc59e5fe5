// Checksums of what is stored: 32 bits, from XXH3. A checksum is of bytes and of what they are (a
// table, the id of a row), given as a seed, so that bytes that got into another row do not pass.
// Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace fendex::base {

/// Numbers, in their order, as a seed.
constexpr std::uint64_t checksum_seed(std::initializer_list<std::uint64_t> numbers) {
    std::uint64_t seed = 0;
    for (const std::uint64_t number : numbers) {
        seed = (seed ^ number) * 0x9E3779B97F4A7C15;
        seed ^= seed >> 32;
    }
    return seed;
}

/// The lower 32 bits of XXH3-64 with that seed.
std::uint32_t checksum(std::string_view bytes, std::uint64_t seed);

/// Sealed bytes end with their checksum, four bytes, lowest first.
inline constexpr std::size_t kSealBytes = 4;
void seal(std::string& bytes, std::uint64_t seed);
/// The bytes without their checksum; empty if that does not match.
std::optional<std::string_view> unseal(std::string_view sealed, std::uint64_t seed);

}  // namespace fendex::base
