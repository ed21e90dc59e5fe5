// Rows of an answer as a table, JSON lines or CSV: the same columns, whatever the format. On a
// terminal a table fits its width: columns without values are left out, then those that can be
// spared, and texts are cut. Elsewhere every column is there.
#pragma once

#include <string>
#include <vector>

#include "cli/options/arguments.hpp"
#include "cli/output/output.hpp"
#include "emit/rows.hpp"

namespace fendex::cli {

using emit::cell;
using emit::Cell;
using emit::Null;

/// What a text loses if a terminal has no room for it.
enum class Cut { kEnd, kStart, kNever };

struct ColumnSpec {
    std::string name;
    bool in_table = true;        // the narrow view leaves some out
    std::size_t max_width = 40;  // in a table; what is longer is cut

    // On a terminal:
    std::string title = {};  // what the column is called; empty: its name
    Cut cut = Cut::kEnd;
    unsigned spare = 0;   // columns with the highest go first if there is no room; 0: stays
    bool below = false;   // each value has a line of its own below its row
    bool always = false;  // also without values
};

/// Longer than any FEN: a table never cuts one.
inline constexpr std::size_t kWholeFen = 256;

class RowPrinter {
  public:
    RowPrinter(Output& output, Format format, std::vector<ColumnSpec> columns);

    /// How many cells a row has.
    std::size_t columns() const { return columns_.size(); }
    void row(const std::vector<Cell>& cells);
    /// Prints what a table has been holding back to find its widths; CSV has its header even where
    /// there were no rows, so that it can be read as the table that it is.
    void finish();

  private:
    using Texts = std::vector<std::string>;

    bool on_terminal() const { return output_.screen().width != 0; }
    void hold(const std::vector<Cell>& cells);
    void print_csv_header();
    void print_table();
    void find_widths();
    void fit_to_terminal();
    void print_line(const Texts& texts);
    void print_below(const Texts& texts);

    Output& output_;
    Format format_;
    std::vector<ColumnSpec> columns_;
    std::vector<std::string> names_;  // in JSON and CSV
    Texts titles_;                    // in a table
    std::vector<Texts> held_;
    std::vector<bool> numeric_;
    std::vector<bool> cuttable_;
    std::vector<std::size_t> widths_;  // 0: the table does not have the column
    bool header_done_ = false;
};

}  // namespace fendex::cli
