// Texts as SQL constants in hexadecimal digits, so that no text can be mistaken for SQL; and a
// check for ASCII. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/digest.hpp"

namespace fendex::clickhouse {

/// Returns "unhex('4d6f7a')", which every server reads as a constant.
[[nodiscard]] inline std::string sql_text(std::string_view text) {
    return "unhex('" + base::hex_of(text) + "')";
}

[[nodiscard]] inline bool is_ascii(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    }
    return true;
}

}  // namespace fendex::clickhouse
