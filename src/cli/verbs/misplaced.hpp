// Positions, moves and games in the place of the database, or where a verb has no use for them.
#pragma once

#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// Throws UsageError that says where they belong. Words that the verb itself refuses pass.
void refuse_misplaced_words(const Arguments& arguments, const Verb& verb);

}  // namespace fendex::cli
