// Rows of an answer as a table, JSON lines or CSV: the same columns, whatever the format.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "emit/rows.hpp"

namespace fendex::cli {

using emit::cell;
using emit::Cell;
using emit::Null;

struct ColumnSpec {
    std::string name;
    bool in_table = true;        // the narrow view leaves some out
    std::size_t max_width = 40;  // in a table; what is longer is cut
};

class RowPrinter {
  public:
    RowPrinter(Output& output, Format format, std::vector<ColumnSpec> columns);

    void row(const std::vector<Cell>& cells);
    /// Prints what a table has been holding back to find its widths; CSV has its header even where
    /// there were no rows, so that it can be read as the table that it is.
    void finish();

  private:
    void print_csv_header();
    void print_table();

    Output& output_;
    Format format_;
    std::vector<ColumnSpec> columns_;
    std::vector<std::string> names_;
    std::vector<std::vector<std::string>> held_;
    std::vector<bool> numeric_;
    std::vector<std::size_t> widths_;
    bool header_done_ = false;
};

}  // namespace fendex::cli
