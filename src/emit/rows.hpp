// Rows of results as text: JSON lines and CSV with the same columns. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/json.hpp"

namespace fendex::emit {

enum class RowFormat { kJson, kCsv };

struct Null {};
/// Views must stay valid until the row has been written.
using Cell = std::variant<Null, std::string_view, std::int64_t, double, bool,
                          const std::vector<std::uint32_t>*, const std::vector<std::uint64_t>*,
                          const std::vector<std::string>*>;

template <typename Value>
Cell cell(const std::optional<Value>& value) {
    if (!value) return Null{};
    if constexpr (std::is_integral_v<Value>) {
        return static_cast<std::int64_t>(*value);
    } else {
        return *value;
    }
}

/// Appends the value as JSON; objects of JSON add cells with this.
void append_value(const Cell& cell, std::string& out);
/// Adds a member to the object for each column.
void add_members(std::span<const std::string> columns, std::span<const Cell> cells,
                 json::Object& object);
/// Appends a JSON object with a member for each column.
void append_json_row(std::span<const std::string> columns, std::span<const Cell> cells,
                     std::string& out);

/// RFC 4180: fields are quoted if necessary, lines end with CR LF. A ' is put before a text that a
/// spreadsheet would read as a formula (it begins with = + - @ and does not consist of dashes).
void append_csv_header(std::span<const std::string> columns, std::string& out);
void append_csv_row(std::span<const Cell> cells, std::string& out);
/// Appends one field of such a row.
void append_csv_field(const Cell& cell, std::string& out);

/// Appends a value as tables and CSV show it: control characters escaped, list items separated by
/// blanks.
void append_plain_text(const Cell& cell, std::string& out);

}  // namespace fendex::emit
