#include "emit/rows.hpp"

#include <charconv>
#include <type_traits>

#include "base/joined.hpp"
#include "base/printable.hpp"

namespace fendex::emit {

namespace {

template <typename Number>
void append_number(Number number, std::string& out) {
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// True if a spreadsheet would take the text for a formula. "-" (no value in PGN) and "--" (a null
/// move) are not formulas.
bool is_formula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos &&
           text.find_first_not_of('-') != std::string_view::npos;
}

/// Turns the text that was appended from `begin` on into a CSV field.
void finish_text(std::size_t begin, std::string& out) {
    if (is_formula(std::string_view(out).substr(begin))) out.insert(begin, 1, '\'');
    if (out.find_first_of(",\"\r\n", begin) == std::string::npos) return;
    for (std::size_t quote = out.find('"', begin); quote != std::string::npos;
         quote = out.find('"', quote + 2)) {
        out.insert(quote, 1, '"');
    }
    out.insert(begin, 1, '"');
    out += '"';
}

template <typename Numbers>
void append_list(const Numbers& numbers, std::string& out) {
    const std::size_t begin = out.size();
    for (const auto n : numbers) {
        if (out.size() != begin) out += ' ';
        append_number(n, out);
    }
}

}  // namespace

void add_members(std::span<const std::string> columns, std::span<const Cell> cells,
                 json::Object& object) {
    for (std::size_t i = 0; i < columns.size(); ++i) object.add(columns[i], cells[i]);
}

void append_value(const Cell& cell, std::string& out) {
    std::visit(
        [&]<typename Value>(const Value& value) {
            if constexpr (std::is_same_v<Value, Null>) {
                json::append_null(out);
            } else if constexpr (std::is_pointer_v<Value>) {
                json::append_value(*value, out);
            } else {
                json::append_value(value, out);
            }
        },
        cell);
}

void append_json_row(std::span<const std::string> columns, std::span<const Cell> cells,
                     std::string& out) {
    json::append_line(out, [&](json::Object& object) { add_members(columns, cells, object); });
}

void append_csv_header(std::span<const std::string> columns, std::string& out) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i != 0) out += ',';
        const std::size_t begin = out.size();
        out += columns[i];
        finish_text(begin, out);
    }
    out += "\r\n";
}

void append_csv_row(std::span<const Cell> cells, std::string& out) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i != 0) out += ',';
        append_csv_field(cells[i], out);
    }
    out += "\r\n";
}

void append_csv_field(const Cell& cell, std::string& out) {
    const std::size_t begin = out.size();
    append_plain_text(cell, out);
    if (std::holds_alternative<std::string_view>(cell) ||
        std::holds_alternative<const std::vector<std::string>*>(cell)) {
        finish_text(begin, out);
    }
}

void append_plain_text(const Cell& cell, std::string& out) {
    if (const auto* text = std::get_if<std::string_view>(&cell)) {
        base::append_printable(*text, out);
    } else if (const auto* number = std::get_if<std::int64_t>(&cell)) {
        append_number(*number, out);
    } else if (const auto* real = std::get_if<double>(&cell)) {
        append_number(*real, out);
    } else if (const auto* flag = std::get_if<bool>(&cell)) {
        out += *flag ? "true" : "false";
    } else if (const auto* list = std::get_if<const std::vector<std::uint32_t>*>(&cell)) {
        append_list(**list, out);
    } else if (const auto* longs = std::get_if<const std::vector<std::uint64_t>*>(&cell)) {
        append_list(**longs, out);
    } else if (const auto* texts = std::get_if<const std::vector<std::string>*>(&cell)) {
        base::append_printable(base::joined(" ", **texts), out);
    }
}

}  // namespace fendex::emit
