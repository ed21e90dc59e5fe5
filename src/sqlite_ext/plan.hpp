// What the tables share when SQLite asks them for a plan.
#pragma once

#include "store/sqlite_api.hpp"

namespace fendex::sqlite_ext {

/// Whether rows that come by game and ply (columns 0 and 1), or by ply alone where all are of one
/// game, come in the order asked for.
bool in_game_order(const sqlite3_index_info& info, bool one_game);

/// Arguments of a table-valued function: its hidden columns from `first` on. Those given become
/// arguments of the plan, in their order, and bits of idxNum from the lowest on. An SQLite result
/// code: SQLITE_CONSTRAINT where one depends on what is not known yet.
int take_arguments(sqlite3_index_info& info, int first, int count);

}  // namespace fendex::sqlite_ext
