#include "cli/output/question_label.hpp"

#include <algorithm>

#include "chess/epd.hpp"

namespace fendex::cli {

CarriedOperations carried_operations(const chess::FenResult& record) {
    CarriedOperations carried;
    for (chess::EpdOperation& operation : chess::epd_operations(record.operations)) {
        for (std::size_t i = 0; i < carried.size(); ++i) {
            if (operation.opcode == kCarriedOperations[i]) {
                carried[i] = std::move(operation.operand);
            }
        }
    }
    return carried;
}

bool QuestionLabel::has_operations() const {
    return std::any_of(operations_.begin(), operations_.end(),
                       [](const auto& operand) { return operand.has_value(); });
}

void QuestionLabel::append_columns(std::vector<ColumnSpec>& columns) const {
    if (number_) columns.push_back({"query"});
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        // A table shows them in its heading.
        if (all_columns_ || operations_[i]) columns.push_back({kCarriedOperations[i], false});
    }
}

void QuestionLabel::append_cells(std::vector<Cell>& cells) const {
    if (number_) cells.emplace_back(*number_);
    for (const std::optional<std::string>& operand : operations_) {
        if (all_columns_ || operand) {
            cells.push_back(operand ? Cell{std::string_view(*operand)} : Cell{Null{}});
        }
    }
}

void QuestionLabel::add_members(json::Object& object) const {
    if (number_) object.add("query", *number_);
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        if (operations_[i]) object.add(kCarriedOperations[i], *operations_[i]);
    }
}

void QuestionLabel::print_no_games(Format format, RowPrinter& printer, Output& output) const {
    if (format == Format::kCsv) {
        std::vector<Cell> cells;
        append_cells(cells);
        cells.resize(printer.columns());
        printer.row(cells);
    } else if (format == Format::kJson) {
        json::append_line(output.buffer(), [&](json::Object& object) {
            add_members(object);
            object.add("games", 0);
        });
    }
}

void QuestionLabel::append_heading(bool first, std::string& out) const {
    if (!first) out += '\n';
    if (!has_operations()) return;
    std::string_view before;
    if (number_) out += "query " + std::to_string(*number_) + ": ";
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        if (!operations_[i]) continue;
        out.append(before).append(kCarriedOperations[i]).append(" ");
        out += printable(*operations_[i]);
        before = "; ";
    }
    out += '\n';
}

}  // namespace fendex::cli
