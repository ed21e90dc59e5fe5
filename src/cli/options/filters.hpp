// The options that say which games an answer is about: the same for every verb that has answers.
#pragma once

#include <vector>

#include "cli/options/arguments.hpp"
#include "query/game_filter.hpp"

namespace fendex::cli {

std::vector<Option> filter_options();
/// --sort.
Option sort_option();

/// A word on stderr about an option that asks for less than its name promises, unless --quiet is
/// given.
void say_what_filters_ask(const Arguments& arguments);

/// What the options ask for. Throws UsageError.
query::GameFilter filter_of(const Arguments& arguments);
/// The same for answers about a position, which says by itself what rules it is of: --variant is a
/// condition for Chess960 alone.
query::GameFilter filter_beside_position(const Arguments& arguments);
query::GameOrder order_of(const Arguments& arguments);

}  // namespace fendex::cli
