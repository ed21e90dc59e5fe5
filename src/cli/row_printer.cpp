#include "cli/row_printer.hpp"

#include <algorithm>

namespace fendex::cli {

namespace {

/// A table's widths are those of its first rows.
constexpr std::size_t kHeldRows = 1000;

/// Characters, not bytes.
std::size_t width_of(std::string_view utf8) {
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

void clip(std::string& utf8, std::size_t max_width) {
    if (width_of(utf8) <= max_width) return;
    std::size_t end = 0;
    for (std::size_t width = 0; width < max_width - 1; ++width) {
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
      numeric_(columns_.size(), true) {
    for (const ColumnSpec& column : columns_) names_.push_back(column.name);
}

void RowPrinter::row(const std::vector<Cell>& cells) {
    switch (format_) {
        case Format::kJson: emit::append_json_row(names_, cells, output_.buffer()); break;
        case Format::kCsv:
            print_csv_header();
            emit::append_csv_row(cells, output_.buffer());
            break;
        default: {
            std::vector<std::string>& held = held_.emplace_back();
            for (std::size_t i = 0; i < columns_.size(); ++i) {
                std::string& text = held.emplace_back();
                if (columns_[i].in_table) emit::append_plain_text(cells[i], text);
                clip(text, columns_[i].max_width);
                if (std::holds_alternative<std::string_view>(cells[i])) numeric_[i] = false;
            }
            if (held_.size() >= kHeldRows || header_done_) print_table();
        }
    }
    output_.maybe_flush();
}

void RowPrinter::finish() {
    if (!held_.empty()) print_table();
    if (format_ == Format::kCsv) print_csv_header();
}

void RowPrinter::print_csv_header() {
    if (header_done_ || columns_.empty()) return;
    emit::append_csv_header(names_, output_.buffer());
    header_done_ = true;
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
