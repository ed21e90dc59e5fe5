#include "cli/row_printer.hpp"

#include <algorithm>

#include "query/json.hpp"

namespace fendex::cli {

namespace {

/// A table's widths are those of its first rows.
constexpr std::size_t kHeldRows = 1000;
constexpr std::size_t kMaxWidth = 40;

std::string joined(const std::vector<std::uint32_t>& numbers) {
    std::string out;
    for (const std::uint32_t n : numbers) {
        if (!out.empty()) out += ' ';
        out += std::to_string(n);
    }
    return out;
}

std::string plain_text(const Cell& cell) {
    if (const auto* text = std::get_if<std::string_view>(&cell)) return printable(*text);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
    if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
    if (const auto* list = std::get_if<const std::vector<std::uint32_t>*>(&cell)) {
        return joined(**list);
    }
    return {};
}

/// Characters, not bytes.
std::size_t width_of(std::string_view utf8) {
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

void clip(std::string& utf8) {
    if (width_of(utf8) <= kMaxWidth) return;
    std::size_t end = 0;
    for (std::size_t width = 0; width < kMaxWidth - 1; ++width) {
        do {
            ++end;
        } while ((static_cast<unsigned char>(utf8[end]) & 0xC0U) == 0x80U);
    }
    utf8.resize(end);
    utf8 += "\xE2\x80\xA6";  // ...
}

}  // namespace

RowPrinter::RowPrinter(Output& output, Format format, std::vector<ColumnSpec> columns)
    : output_(output),
      format_(format),
      columns_(std::move(columns)),
      numeric_(columns_.size(), true) {}

void RowPrinter::row(const std::vector<Cell>& cells) {
    switch (format_) {
        case Format::kJson: json_row(cells); break;
        case Format::kCsv: csv_row(cells); break;
        default: {
            std::vector<std::string>& held = held_.emplace_back();
            for (std::size_t i = 0; i < columns_.size(); ++i) {
                held.push_back(columns_[i].in_table ? plain_text(cells[i]) : std::string());
                clip(held.back());
                if (std::holds_alternative<std::string_view>(cells[i])) numeric_[i] = false;
            }
            if (held_.size() >= kHeldRows || header_done_) print_table();
        }
    }
    output_.maybe_flush();
}

void RowPrinter::finish() {
    if (!held_.empty()) print_table();
}

void RowPrinter::json_row(const std::vector<Cell>& cells) {
    std::string& out = output_.buffer();
    query::JsonObject object(out);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& name = columns_[i].name;
        if (const auto* text = std::get_if<std::string_view>(&cells[i])) {
            object.text(name, *text);
        } else if (const auto* number = std::get_if<std::int64_t>(&cells[i])) {
            object.number(name, *number);
        } else if (const auto* flag = std::get_if<bool>(&cells[i])) {
            object.boolean(name, *flag);
        } else if (const auto* list = std::get_if<const std::vector<std::uint32_t>*>(&cells[i])) {
            object.array(name, **list);
        } else {
            object.null(name);
        }
    }
    object.end();
    out += '\n';
}

void RowPrinter::csv_row(const std::vector<Cell>& cells) {
    std::string& out = output_.buffer();
    const auto line = [&](auto text_of) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const std::string text = text_of(i);
            if (i != 0) out += ',';
            if (text.find_first_of(",\"\r\n") == std::string::npos) {
                out += text;
                continue;
            }
            out += '"';
            for (const char c : text) {
                if (c == '"') out += '"';
                out += c;
            }
            out += '"';
        }
        out += "\r\n";  // RFC 4180
    };
    if (!header_done_) line([&](std::size_t i) { return columns_[i].name; });
    header_done_ = true;
    line([&](std::size_t i) { return plain_text(cells[i]); });
}

void RowPrinter::print_table() {
    std::string& out = output_.buffer();
    const auto line = [&](auto text_of) {
        std::string text;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (!columns_[i].in_table) continue;
            const std::string& value = text_of(i);
            const std::string padding(widths_[i] - std::min(widths_[i], width_of(value)), ' ');
            if (!text.empty()) text += "  ";
            text += numeric_[i] ? padding + value : value + padding;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text;
        out += '\n';
    };
    if (!header_done_) {
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            widths_.push_back(columns_[i].name.size());
            for (const auto& row : held_) widths_[i] = std::max(widths_[i], width_of(row[i]));
        }
        line([&](std::size_t i) -> const std::string& { return columns_[i].name; });
        header_done_ = true;
    }
    for (const auto& row : held_) {
        line([&](std::size_t i) -> const std::string& { return row[i]; });
        output_.maybe_flush();
    }
    held_.clear();
}

}  // namespace fendex::cli
