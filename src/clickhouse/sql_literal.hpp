// Texts as SQL constants in hexadecimal digits, so that no text can be mistaken for SQL; and a
// check for ASCII. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace fendex::clickhouse {

/// Returns "unhex('4D6F7A')", which every server reads as a constant.
[[nodiscard]] inline std::string sql_text(std::string_view text) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out = "unhex('";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        out += kDigits[byte >> 4];
        out += kDigits[byte & 15];
    }
    return out + "')";
}

[[nodiscard]] inline bool is_ascii(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    }
    return true;
}

}  // namespace fendex::clickhouse
