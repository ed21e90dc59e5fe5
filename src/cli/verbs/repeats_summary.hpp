// The output of `repeats --summary`.
#pragma once

#include "cli/options/arguments.hpp"
#include "cli/output/output.hpp"
#include "query/game_filter.hpp"
#include "store/store_reader.hpp"

namespace fendex::cli {

/// Prints a table or JSON; returns the exit status.
int print_repetition_summary(store::StoreReader& reader, query::GameMatcher& matcher,
                             std::uint32_t min_count, Format format, Output& output);

}  // namespace fendex::cli
