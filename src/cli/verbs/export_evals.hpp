// Part of `export`: --evals writes the records of positions.
#pragma once

#include <vector>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

Option evals_option();
/// Runs `export --evals`. Returns the exit status.
int run_export_evals(const Arguments& arguments);

}  // namespace fendex::cli
