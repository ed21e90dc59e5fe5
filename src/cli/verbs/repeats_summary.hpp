// The output of `repeats --summary`.
#pragma once

#include "ask/sources.hpp"
#include "cli/options/arguments.hpp"
#include "cli/output/output.hpp"

namespace fendex::cli {

/// Prints a table or JSON; returns the exit status.
[[nodiscard]] int print_repetition_summary(ask::Sources& databases, std::uint32_t min_count,
                                           Format format, Output& output);

}  // namespace fendex::cli
