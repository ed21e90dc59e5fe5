// Hexadecimal numbers.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::base {

/// Returns sixteen digits, the form in which keys and fingerprints are shown.
inline std::string hex_key(std::uint64_t key) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string out(16, '0');
    for (std::size_t i = 16; i-- > 0; key >>= 4) out[i] = kDigits[key & 15U];
    return out;
}

}  // namespace fendex::base
