// What an answer says of its question, where it says anything: its number among several, and what
// EPD had to say of it. Answers of every format begin with it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "cli/row_printer.hpp"

namespace fendex::cli {

/// The EPD operations that go with an answer: the record's name, the best moves, the moves to
/// avoid, a comment.
inline constexpr std::array<const char*, 4> kCarriedOperations = {"id", "bm", "am", "c0"};
/// Their operands; empty where a record has none.
using CarriedOperations = std::array<std::optional<std::string>, kCarriedOperations.size()>;

CarriedOperations carried_operations(const chess::FenResult& record);

class QuestionLabel {
  public:
    /// The number is that among several questions. CSV, which has its header once, then has columns
    /// for operations that the record does not have too.
    QuestionLabel(std::optional<std::int64_t> number, CarriedOperations operations, Format format)
        : number_(number),
          operations_(std::move(operations)),
          all_columns_(number && format == Format::kCsv) {}
    QuestionLabel() = default;

    bool is_of_several() const { return number_.has_value(); }
    bool has_operations() const;
    /// As rows have it; views into the label.
    void append_columns(std::vector<ColumnSpec>& columns) const;
    void append_cells(std::vector<Cell>& cells) const;
    void add_members(json::Object& object) const;
    /// A line that stands for an answer without rows: an object with "games":0 in JSON, in CSV a
    /// row of which only the label has values. Other formats have none.
    void print_no_games(Format format, RowPrinter& printer, Output& output) const;
    /// What stands above an answer in a table: an empty line, unless it is the first; and where
    /// there are operations, "query 3: id BK.01; bm Qd1+".
    void append_heading(bool first, std::string& out) const;

  private:
    std::optional<std::int64_t> number_;
    CarriedOperations operations_;
    bool all_columns_ = false;
};

}  // namespace fendex::cli
