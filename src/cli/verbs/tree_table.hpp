// The opening tree as a table.
#pragma once

#include "ask/sources.hpp"
#include "chess/fen.hpp"
#include "cli/output/output.hpp"
#include "query/opening_tree.hpp"

namespace fendex::cli {

/// Prints a tree and, line by line, the replies that `descent` finds; then the games that the tree
/// names. `reached` adds a column: games that reached the position after a move by any move order.
void print_tree_table(const query::Tree& tree, query::TreeDescent& descent, bool reached,
                      chess::FenDialect dialect, ask::Sources& databases, Output& output);

}  // namespace fendex::cli
