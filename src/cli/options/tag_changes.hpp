// The options --fill and --names, which say what an export writes in place of the games' tags.
#pragma once

#include "cli/options/arguments.hpp"
#include "emit/tag_changes.hpp"

namespace fendex::cli {

std::vector<Option> tag_change_options();
/// Throws UsageError for an unknown group of tags.
emit::TagChoice tag_choice_of(const Arguments& arguments);

}  // namespace fendex::cli
