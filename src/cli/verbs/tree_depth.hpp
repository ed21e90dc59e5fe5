// The depth of trees, --depth.
#pragma once

#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// Returns the number of plies; `usual` if it is not given. Throws UsageError.
unsigned tree_depth(const Arguments& arguments, unsigned usual);

}  // namespace fendex::cli
