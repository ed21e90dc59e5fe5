// Rows of an answer as a table, JSON lines or CSV: the same columns, whatever the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"

namespace fendex::cli {

struct Null {};
/// Views must live until the row has been printed.
using Cell =
    std::variant<Null, std::string_view, std::int64_t, bool, const std::vector<std::uint32_t>*>;

template <typename Value>
Cell cell(const std::optional<Value>& value) {
    if (!value) return Null{};
    return *value;
}

struct ColumnSpec {
    std::string name;
    bool in_table = true;  // the narrow view leaves some out
};

class RowPrinter {
  public:
    RowPrinter(Output& output, Format format, std::vector<ColumnSpec> columns);

    void row(const std::vector<Cell>& cells);
    /// Prints what a table has been holding back to find its widths.
    void finish();

  private:
    void json_row(const std::vector<Cell>& cells);
    void csv_row(const std::vector<Cell>& cells);
    void print_table();

    Output& output_;
    Format format_;
    std::vector<ColumnSpec> columns_;
    std::vector<std::vector<std::string>> held_;
    std::vector<bool> numeric_;
    std::vector<std::size_t> widths_;
    bool header_done_ = false;
};

}  // namespace fendex::cli
