// The options that filter games. All verbs that list or count games share them.
#pragma once

#include <vector>

#include "cli/options/arguments.hpp"
#include "query/game_filter.hpp"

namespace fendex::cli {

std::vector<Option> filter_options();

/// Explains on stderr what --eco compares, if it is given and --quiet is not.
void say_what_filters_ask(const Arguments& arguments);

/// Returns the filter that the options describe. Throws UsageError.
query::GameFilter filter_of(const Arguments& arguments);
/// Returns the filter for a question about a position (GameFilter::for_position()). Throws
/// UsageError.
query::GameFilter filter_for_position(const Arguments& arguments);
query::GameOrder order_of(const Arguments& arguments);

}  // namespace fendex::cli
