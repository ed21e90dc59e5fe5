// The output of `repeats --summary`.
#pragma once

#include "cli/options/arguments.hpp"
#include "cli/output/output.hpp"
#include "cli/verbs/open_databases.hpp"

namespace fendex::cli {

/// Prints a table or JSON; returns the exit status.
[[nodiscard]] int print_repetition_summary(OpenDatabases& databases, std::uint32_t min_count,
                                           Format format, Output& output);

}  // namespace fendex::cli
