// Detects positions, moves and games in the place of the database, or given to a verb that does not
// take them.
#pragma once

#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// Throws UsageError that says where they belong, and refuses clusters if the verb takes none (it
/// does if it has --password-file). Throws StoreError for the URL of a cluster that is wrong. Words
/// that the verb itself refuses are left to it.
void refuse_misplaced_words(const Arguments& arguments, const Verb& verb);

}  // namespace fendex::cli
