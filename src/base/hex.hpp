// Hexadecimal numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/number_of.hpp"

namespace fendex::base {

/// Writes sixteen digits, the form in which keys and fingerprints are shown; returns their end.
inline char* write_hex_key(std::uint64_t key, char* out) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (std::size_t i = 16; i-- > 0; key >>= 4) out[i] = kDigits[key & 15U];
    return out + 16;
}

/// Returns the digits of write_hex_key().
inline std::string hex_key(std::uint64_t key) {
    std::string out(16, '0');
    write_hex_key(key, out.data());
    return out;
}

/// Reads a key of sixteen digits, with or without 0x before it.
inline std::optional<std::uint64_t> key_of_hex(std::string_view text) {
    if (text.starts_with("0x")) text.remove_prefix(2);
    return text.size() == 16 ? number_of<std::uint64_t>(text, 16) : std::nullopt;
}

}  // namespace fendex::base
