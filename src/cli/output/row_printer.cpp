#include "cli/output/row_printer.hpp"

#include <algorithm>

#include "base/display_width.hpp"
#include "cli/output/table_layout.hpp"

namespace fendex::cli {

namespace {

/// The first rows of a table, from which it takes its column widths.
constexpr std::size_t kHeldRows = 1000;
/// On a narrower terminal a table is not made to fit: each value has a line of its own.
constexpr std::size_t kNarrowTerminal = 60;

bool is_number(const Cell& cell) {
    return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell) ||
           std::holds_alternative<bool>(cell) || std::holds_alternative<Null>(cell);
}

std::string cut_to(const std::string& text, std::size_t width, Cut cut) {
    return cut == Cut::kStart ? base::cut_start(text, width) : base::cut_end(text, width);
}

}  // namespace

RowPrinter::RowPrinter(Output& output, Format format, std::vector<ColumnSpec> columns)
    : output_(output),
      format_(format),
      columns_(std::move(columns)),
      numeric_(columns_.size(), true),
      cuttable_(columns_.size(), false) {
    for (ColumnSpec& column : columns_) {
        column.in_table &= on_terminal() ? column.on_terminal : column.off_terminal;
        names_.push_back(column.name);
        titles_.push_back(on_terminal() && !column.title.empty() ? column.title : column.name);
    }
}

void RowPrinter::row(const std::vector<Cell>& cells) {
    if (has_lines()) {
        if (format_ == Format::kCsv) print_csv_header();
        append_line(cells, output_.buffer());
    } else {
        hold(cells);
        if (held_.size() >= kHeldRows || header_done_) print_table();
    }
    output_.maybe_flush();
}

void RowPrinter::append_line(const std::vector<Cell>& cells, std::string& out) const {
    if (format_ == Format::kJson) {
        emit::append_json_row(names_, cells, out);
    } else {
        emit::append_csv_row(cells, out);
    }
}

void RowPrinter::print_lines(std::string_view lines) {
    output_.buffer() += lines;
    output_.maybe_flush();
}

void RowPrinter::finish() {
    if (!held_.empty()) print_table();
    if (format_ == Format::kCsv) print_csv_header();
}

void RowPrinter::hold(const std::vector<Cell>& cells) {
    Texts& texts = held_.emplace_back();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const ColumnSpec& column = columns_[i];
        std::string text;
        if (column.in_table) emit::append_plain_text(cells[i], text);
        if (text.empty()) {
            text = column.blank;
        } else if (column.percent) {
            text += " %";
        }
        texts.push_back(cut_to(text, column.max_width, on_terminal() ? column.cut : Cut::kEnd));
        if (std::holds_alternative<std::string_view>(cells[i])) numeric_[i] = false;
        if (!is_number(cells[i])) cuttable_[i] = column.cut != Cut::kNever;
    }
}

void RowPrinter::print_csv_header() {
    if (header_done_ || columns_.empty()) return;
    if (output_.has_header()) emit::append_csv_header(names_, output_.buffer());
    header_done_ = true;
}

void RowPrinter::print_table() {
    if (!header_done_) {
        find_widths();
        if (output_.has_header() && title_width_ == 0) print_line(titles_);
        header_done_ = true;
    }
    for (const Texts& texts : held_) {
        if (title_width_ != 0) {
            print_record(texts);
        } else {
            print_line(texts);
            if (on_terminal()) print_below(texts);
        }
        output_.maybe_flush();
    }
    held_.clear();
}

void RowPrinter::find_widths() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const ColumnSpec& column = columns_[i];
        std::size_t width = 0;
        for (const Texts& texts : held_) {
            width = std::max(width, base::display_width(texts[i]));
        }
        const bool empty = width == 0 && !column.always;
        const bool left_out = !column.in_table || (empty && !output_.has_header()) ||
                              (on_terminal() && (empty || column.below));
        if (!left_out && output_.has_header()) {
            width = std::max(width, base::display_width(titles_[i]));
        }
        widths_.push_back(left_out ? 0 : std::max<std::size_t>(1, width));
    }
    if (on_terminal()) fit_to_terminal();
}

void RowPrinter::fit_to_terminal() {
    std::vector<ColumnNeed> needs;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::size_t least =
            cuttable_[i] ? std::min(widths_[i], columns_[i].least) : widths_[i];
        needs.push_back({widths_[i], least, columns_[i].spare});
    }
    const std::size_t screen = output_.screen().width;
    const std::vector<std::size_t> fitted = fit_columns(needs, screen);
    const std::size_t width = table_width(screen < kNarrowTerminal ? widths_ : fitted);
    const auto shown = std::ranges::count_if(widths_, [](std::size_t each) { return each != 0; });
    if (width <= screen || shown < 2) {
        widths_ = fitted;
        return;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (widths_[i] != 0) {
            title_width_ = std::max(title_width_, base::display_width(titles_[i]));
        }
    }
}

void RowPrinter::print_record(const Texts& texts) {
    std::string& out = output_.buffer();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (texts[i].empty() || (widths_[i] == 0 && !columns_[i].below)) continue;
        const std::size_t padding =
            title_width_ - std::min(title_width_, base::display_width(titles_[i]));
        out.append(titles_[i]).append(padding + kColumnGap, ' ').append(texts[i]) += '\n';
    }
    out += '\n';
}

void RowPrinter::print_line(const Texts& texts) {
    std::string line;
    bool first = true;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (widths_[i] == 0) continue;
        const bool fits = !on_terminal() || !cuttable_[i];
        const std::string value = fits ? texts[i] : cut_to(texts[i], widths_[i], columns_[i].cut);
        const std::string padding(widths_[i] - std::min(widths_[i], base::display_width(value)),
                                  ' ');
        if (!first) line.append(kColumnGap, ' ');
        first = false;
        line += numeric_[i] ? padding + value : value + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    output_.buffer() += line + '\n';
}

void RowPrinter::print_below(const Texts& texts) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (!columns_[i].below || texts[i].empty()) continue;
        output_.buffer()
            .append(kColumnGap, ' ')
            .append(output_.in_lines(texts[i], kColumnGap))
            .append("\n");
    }
}

}  // namespace fendex::cli
