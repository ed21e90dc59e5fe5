// Pieces of SQL. Texts become constants in hexadecimal digits, so that no text can be mistaken for
// SQL; numbers are written as they are. Pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

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

/// Returns "column IN (1,2,5)", or a condition that nothing fits if there are no values.
template <typename Value>
[[nodiscard]] std::string sql_one_of(const std::string& column, const std::vector<Value>& values) {
    if (values.empty()) return "0";
    return column + " IN " +
           sql_list(values, [](Value value) { return static_cast<unsigned>(value); });
}

/// Returns "value BETWEEN 1 AND 5".
[[nodiscard]] inline std::string sql_range(const std::string& value, std::uint64_t low,
                                           std::uint64_t high) {
    return value + " BETWEEN " + std::to_string(low) + " AND " + std::to_string(high);
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
