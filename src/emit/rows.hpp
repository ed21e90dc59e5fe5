// Rows of an answer as text: JSON lines and CSV of the same columns. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.hpp"

namespace fendex::emit {

struct Null {};
/// Views must live until the row has been written.
using Cell = std::variant<Null, std::string_view, std::int64_t, double, bool,
                          const std::vector<std::uint32_t>*, const std::vector<std::uint64_t>*>;

template <typename Value>
Cell cell(const std::optional<Value>& value) {
    if (!value) return Null{};
    return *value;
}

/// Members of an object, one for each column.
void add_members(std::span<const std::string> columns, std::span<const Cell> cells,
                 json::Object& object);
/// One object, a member for each column.
void append_json_row(std::span<const std::string> columns, std::span<const Cell> cells,
                     std::string& out);

/// RFC 4180: fields quoted where they need it, lines that end with CR LF. A text that a spreadsheet
/// would take for a formula (it begins with = + - @, and is not made of dashes) has a ' before it.
void append_csv_header(std::span<const std::string> columns, std::string& out);
void append_csv_row(std::span<const Cell> cells, std::string& out);

/// As tables and CSV show a value: control characters escaped, lists with blanks between.
void append_plain_text(const Cell& cell, std::string& out);

}  // namespace fendex::emit
