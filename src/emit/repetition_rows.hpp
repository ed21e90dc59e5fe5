// Rows of `repeats`: repeated positions and runs without capture and pawn move. Callers write the
// game's number and the position first; the columns and cells here come after these.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/rows.hpp"
#include "query/repetition_analysis.hpp"
#include "store/store_reader.hpp"

namespace fendex::emit {

/// Returns the value of column `checks`: the side that gave check with every move, or "both".
std::optional<std::string_view> checks_text(bool white, bool black);
/// The columns of a repeated position. `claims` adds columns for claims by announcing a move; set
/// it if the query looks for them.
std::vector<std::string> repetition_columns(bool claims);
/// Appends the cells of these columns, as views into the arguments.
void append_repetition_cells(const query::RepeatedPosition& row, const store::GameHeader& header,
                             bool claims, std::vector<Cell>& cells);
/// The columns of a run, likewise.
std::vector<std::string> run_columns(bool claims);
/// Appends the cells of these columns.
void append_run_cells(const query::ClockRun& row, const store::GameHeader& header, bool claims,
                      std::vector<Cell>& cells);

}  // namespace fendex::emit
