#include "cli/output/lister.hpp"

#include <algorithm>
#include <utility>

namespace fendex::cli {

ask::Page Lister::page() const {
    return {.limit = paging_.offset + std::min(paging_.limit, ask::kAllRows - paging_.offset)};
}

void Lister::begin(QuestionLabel label) {
    const bool other_columns = label_.has_operations() || label.has_operations();
    label_ = std::move(label);
    const bool first = std::exchange(first_, false);
    if (!other_columns || format_ == Format::kCsv) return;
    finish();
    printer_.reset();
    if (format_ == Format::kTable) label_.append_heading(first, output_.buffer());
}

void Lister::open(const std::vector<std::string>& names) {
    if (printer_) return;
    std::vector<ColumnSpec> columns;
    label_.append_columns(columns);
    for (ColumnSpec& column : columns_of(list_, names)) {
        column.in_table &= column.name != left_out_;
        columns.push_back(std::move(column));
    }
    printer_.emplace(output_, format_, std::move(columns));
}

void Lister::row(const std::vector<Cell>& cells) {
    if (!label_.has_cells()) return printer_->row(cells);
    printer_->row(labelled(cells));
}

void Lister::append_line(const std::vector<Cell>& cells, std::string& out) const {
    if (!label_.has_cells()) return printer_->append_line(cells, out);
    printer_->append_line(labelled(cells), out);
}

std::vector<Cell> Lister::labelled(const std::vector<Cell>& cells) const {
    std::vector<Cell> all;
    label_.append_cells(all);
    all.insert(all.end(), cells.begin(), cells.end());
    return all;
}

void Lister::say_none() {
    if (printer_ && label_.is_of_several()) label_.print_no_games(format_, *printer_, output_);
}

void Lister::say_more(std::uint64_t count, std::string_view one) {
    if (format_ != Format::kTable) return;
    finish();
    output_.buffer() += more_line(count, one);
}

Lister::Printed Lister::print(ask::Rows& rows, std::string_view one) {
    open(rows.columns());
    const std::uint64_t skipped = rows.skip(paging_.offset);
    std::uint64_t printed = 0;
    const auto print_row = [&](const std::vector<Cell>& cells) {
        row(cells);
        ++printed;
    };
    while (printed < paging_.limit && rows.read(paging_.limit - printed, print_row)) {
    }
    const std::uint64_t seen = skipped + printed;
    const bool more = (seen == 0 || format_ == Format::kTable) && rows.skip(1) != 0;
    if (seen == 0 && !more) say_none();
    if (more && format_ == Format::kTable) {
        const std::optional<std::uint64_t> total = rows.total();
        say_more(total ? *total - seen : 1 + rows.skip(ask::kAllRows), one);
    }
    output_.maybe_flush();
    return {printed, seen != 0 || more};
}

void Lister::finish() {
    if (printer_) printer_->finish();
}

void Lister::flush() {
    finish();
    output_.flush();
}

}  // namespace fendex::cli
