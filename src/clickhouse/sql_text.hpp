// Pieces of SQL. Texts become constants in hexadecimal digits, so that no text can be mistaken for
// SQL; numbers are written as they are. Pure functions.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/digest.hpp"
#include "base/joined.hpp"
#include "store/game_range.hpp"

namespace fendex::clickhouse {

/// Returns "unhex('4d6f7a')", which every server reads as a constant.
[[nodiscard]] inline std::string sql_text(std::string_view text) {
    return "unhex('" + base::hex_of(text) + "')";
}

/// Returns "(1,2,5)": what `number` makes of the values, of which there must be one.
template <typename Values, typename Number = std::identity>
[[nodiscard]] std::string sql_list(const Values& values, Number number = {}) {
    return "(" + base::joined(",", values, number) + ")";
}

/// Returns "BETWEEN 1 AND 5".
[[nodiscard]] inline std::string sql_between(const store::GameRange& games) {
    return "BETWEEN " + std::to_string(games.first) + " AND " + std::to_string(games.last);
}

[[nodiscard]] inline bool is_ascii(std::string_view text) {
    for (const char c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) return false;
    }
    return true;
}

}  // namespace fendex::clickhouse
