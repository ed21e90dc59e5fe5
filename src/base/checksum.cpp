#include "base/checksum.hpp"

// Compiled into this file, as in digest.cpp.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace fendex::base {

std::uint32_t checksum(std::string_view bytes, std::uint64_t seed) {
    return static_cast<std::uint32_t>(XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed));
}

void seal(std::string& bytes, std::uint64_t seed) {
    const std::uint32_t sum = checksum(bytes, seed);
    for (unsigned i = 0; i < kSealBytes; ++i) bytes += static_cast<char>(sum >> (8 * i) & 0xFF);
}

std::optional<std::string_view> unseal(std::string_view sealed, std::uint64_t seed) {
    if (sealed.size() < kSealBytes) return std::nullopt;
    const std::string_view bytes = sealed.substr(0, sealed.size() - kSealBytes);
    std::uint32_t stored = 0;
    for (unsigned i = 0; i < kSealBytes; ++i) {
        const auto byte = static_cast<unsigned char>(sealed[bytes.size() + i]);
        stored |= std::uint32_t{byte} << (8 * i);
    }
    if (stored != checksum(bytes, seed)) return std::nullopt;
    return bytes;
}

}  // namespace fendex::base
