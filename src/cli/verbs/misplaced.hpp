// Detects positions, moves and games in the place of the database, or given to a verb that does not
// take them.
#pragma once

#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// Throws UsageError that says where they belong. Words that the verb itself refuses are left to
/// it.
void refuse_misplaced_words(const Arguments& arguments, const Verb& verb);

}  // namespace fendex::cli
