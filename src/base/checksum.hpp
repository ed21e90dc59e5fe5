// Checksums of stored bytes: 32 bits, from XXH3. A checksum covers the bytes and, as a seed, the
// place where they are stored (a table, the id of a row). So bytes that were moved to another row
// are rejected. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace fendex::base {

/// Mixes the numbers, in their order, into one seed.
constexpr std::uint64_t checksum_seed(std::initializer_list<std::uint64_t> numbers) {
    std::uint64_t seed = 0;
    for (const std::uint64_t number : numbers) {
        seed = (seed ^ number) * 0x9E3779B97F4A7C15;
        seed ^= seed >> 32;
    }
    return seed;
}

/// Returns the lower 32 bits of XXH3-64 with that seed.
std::uint32_t checksum(std::string_view bytes, std::uint64_t seed);

/// Size of the checksum at the end of sealed bytes, lowest byte first.
inline constexpr std::size_t kSealBytes = 4;
void seal(std::string& bytes, std::uint64_t seed);
/// Returns the bytes without their checksum, or nullopt if it does not match.
[[nodiscard]] std::optional<std::string_view> unseal(std::string_view sealed, std::uint64_t seed);

}  // namespace fendex::base
