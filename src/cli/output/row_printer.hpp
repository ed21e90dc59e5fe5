// Prints the rows of an answer as a table, JSON lines or CSV with the same columns. On a terminal a
// table is fitted to its width: columns without values are left out, then columns that can be
// spared, and texts are cut; if it still does not fit, each value has a line of its own. Elsewhere
// every column is printed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/arguments.hpp"
#include "cli/output/output.hpp"
#include "emit/rows.hpp"

namespace fendex::cli {

using emit::cell;
using emit::Cell;
using emit::Null;

/// Which end of a text is cut if the terminal is too narrow.
enum class Cut { kEnd, kStart, kNever };

struct ColumnSpec {
    std::string name;
    bool in_table = true;        // tables leave some columns out
    bool off_terminal = true;    // the table has the column in files and pipes, too
    std::size_t max_width = 40;  // in a table; longer texts are cut
    bool percent = false;        // numbers in a table are followed by " %"
    std::string blank = {};      // what a table has in place of an empty text

    // On a terminal:
    bool on_terminal = true;  // the table has the column there, too
    std::string title = {};   // the heading; empty: the column's name
    Cut cut = Cut::kEnd;
    unsigned spare = 0;      // columns with the highest number are left out first; 0: never
    std::size_t least = 12;  // texts are cut to this width; before they are cut further, columns
                             // are left out
    bool below = false;      // only there: each value is printed on its own line below the row
    bool always = false;     // printed also if it has no values
};

/// Longer than any FEN, so that a table never cuts one.
inline constexpr std::size_t kWholeFen = 256;

class RowPrinter {
  public:
    RowPrinter(Output& output, Format format, std::vector<ColumnSpec> columns);

    /// Returns how many cells a row has.
    std::size_t columns() const { return columns_.size(); }
    void row(const std::vector<Cell>& cells);
    /// Returns whether rows are lines of JSON or CSV, which do not depend on one another.
    bool has_lines() const { return format_ == Format::kJson || format_ == Format::kCsv; }
    /// Appends the line of a row. Several threads may call it at once.
    void append_line(const std::vector<Cell>& cells, std::string& out) const;
    /// Prints lines of append_line(). For CSV, row() must have been called before.
    void print_lines(std::string_view lines);
    /// Prints the rows that a table has held back to find its widths. CSV without rows still gets
    /// its header, so that programs can read it as a table.
    void finish();

  private:
    using Texts = std::vector<std::string>;

    bool on_terminal() const { return output_.screen().width != 0; }
    void hold(const std::vector<Cell>& cells);
    void print_csv_header();
    void print_table();
    void find_widths();
    void fit_to_terminal();
    void print_record(const Texts& texts);
    void print_line(const Texts& texts);
    void print_below(const Texts& texts);

    Output& output_;
    Format format_;
    std::vector<ColumnSpec> columns_;
    std::vector<std::string> names_;  // used in JSON and CSV
    Texts titles_;                    // in a table
    std::vector<Texts> held_;
    std::vector<bool> numeric_;
    std::vector<bool> cuttable_;
    std::vector<std::size_t> widths_;  // 0: the table does not have the column
    bool header_done_ = false;
    std::size_t title_width_ = 0;  // of the lines of values; 0: the table has columns
};

}  // namespace fendex::cli
