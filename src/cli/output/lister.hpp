// Lists the rows of answers: of each a page, as a table, JSON lines or CSV.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ask/rows.hpp"
#include "cli/output/columns.hpp"
#include "cli/output/output.hpp"
#include "cli/output/question_label.hpp"
#include "cli/output/row_printer.hpp"

namespace fendex::cli {

class Lister {
  public:
    /// Obeys --limit, --offset and --no-header.
    Lister(const Arguments& arguments, Format format, List list)
        : format_(format), paging_(paging_of(arguments, format)), list_(list), output_(arguments) {}

    Format format() const { return format_; }
    const Paging& paging() const { return paging_; }
    Output& output() { return output_; }
    bool on_terminal() const { return format_ == Format::kTable && output_.screen().width != 0; }
    /// Returns which rows to read: those up to the end of the page.
    ask::Page page() const;
    ask::Context context(std::shared_ptr<ask::Sources> sources) const {
        return {.sources = std::move(sources), .page = page()};
    }
    /// Leaves a column out of tables.
    void leave_out(std::string column) { left_out_ = std::move(column); }

    /// Begins the answer to the next of several questions.
    void begin(QuestionLabel label);
    struct Printed {
        std::uint64_t rows = 0;
        bool any = false;  // whether there are rows, on the page or elsewhere
    };
    /// Prepares for rows with these columns, after those of the label, unless that has been done
    /// for an earlier question with the same columns.
    void open(const std::vector<std::string>& columns);
    void row(const std::vector<Cell>& cells);
    /// Returns whether rows are lines that do not depend on one another.
    bool has_lines() const { return printer_ && printer_->has_lines(); }
    /// Appends the line of a row. Several threads may call it at once, after row().
    void append_line(const std::vector<Cell>& cells, std::string& out) const;
    void print_lines(std::string_view lines) { printer_->print_lines(lines); }
    /// Says that one of several questions has no rows.
    void say_none();
    /// Says in a table how many more rows there are; `one` names one of them, such as "game".
    void say_more(std::uint64_t count, std::string_view one);

    /// Prints the page of these rows. A table ends with the number of rows after the page.
    Printed print(ask::Rows& rows, std::string_view one);
    /// Prints what a table holds back.
    void finish();
    /// Prints that, too, and writes out everything.
    void flush();

  private:
    std::vector<Cell> labelled(const std::vector<Cell>& cells) const;

    Format format_;
    Paging paging_;
    List list_;
    Output output_;
    std::string left_out_;
    QuestionLabel label_;  // of the current question
    bool first_ = true;    // no question was begun before it
    std::optional<RowPrinter> printer_;
};

}  // namespace fendex::cli
