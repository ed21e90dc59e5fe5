// Detects positions, moves and games in the place of the database, or given to a verb that does not
// take them.
#pragma once

#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// Throws UsageError that says where such words belong. Also throws it for clusters, unless the
/// verb takes them, which it does if it has --password-file. Throws StoreError if the URL of a
/// cluster is wrong. Ignores words that the verb itself refuses.
void refuse_misplaced_words(const Arguments& arguments, const Verb& verb);

}  // namespace fendex::cli
