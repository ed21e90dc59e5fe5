// The first members or columns of an answer to one of several questions: the number of the question
// and its EPD operations.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "cli/output/row_printer.hpp"

namespace fendex::cli {

/// The EPD operations that are printed with an answer: the record's name, the best moves, the moves
/// to avoid, a comment.
inline constexpr std::array<const char*, 4> kCarriedOperations = {"id", "bm", "am", "c0"};
/// Their operands; empty if the record does not have the operation.
using CarriedOperations = std::array<std::optional<std::string>, kCarriedOperations.size()>;

CarriedOperations carried_operations(const chess::FenResult& record);

class QuestionLabel {
  public:
    /// `number` counts the questions if there are several. CSV has one header for all of them, so
    /// it then has a column for every operation.
    QuestionLabel(std::optional<std::int64_t> number, CarriedOperations operations, Format format)
        : number_(number),
          operations_(std::move(operations)),
          all_columns_(number && format == Format::kCsv) {}
    QuestionLabel() = default;

    bool is_of_several() const { return number_.has_value(); }
    bool has_operations() const;
    /// Returns whether rows begin with cells of the label.
    bool has_cells() const { return number_ || has_operations(); }
    /// Appends the cells of a row; views into the label.
    void append_columns(std::vector<ColumnSpec>& columns) const;
    void append_cells(std::vector<Cell>& cells) const;
    void add_members(json::Object& object) const;
    /// Prints a line for an answer without rows: in JSON an object with "games":0, in CSV a row
    /// with only the label. Other formats print nothing.
    void print_no_games(Format format, RowPrinter& printer, Output& output) const;
    /// Appends the heading of an answer in a table: an empty line unless it is the first, then
    /// "query 3: id BK.01; bm Qd1+" if there are operations.
    void append_heading(bool first, std::string& out) const;

  private:
    std::optional<std::int64_t> number_;
    CarriedOperations operations_;
    bool all_columns_ = false;
};

}  // namespace fendex::cli
