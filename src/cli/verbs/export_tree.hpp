// `export --tree`: a tree of the moves that games played from a position, as PGN.
#pragma once

#include "cli/options/arguments.hpp"

namespace fendex::cli {

/// Makes --tree and --depth.
std::vector<Option> tree_pgn_options();
/// Returns the exit status. Throws UsageError, also for options that choose games or rows.
int run_export_tree(const Arguments& arguments);

}  // namespace fendex::cli
