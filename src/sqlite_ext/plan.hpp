// What the tables share when SQLite asks them for a plan.
#pragma once

#include <span>

#include "sqlite_ext/values.hpp"
#include "store/sqlite/api.hpp"

namespace fendex::sqlite_ext {

/// Whether rows that come by game and ply (columns 0 and 1), or by ply alone where all are of one
/// game, come in the order asked for.
bool in_game_order(const sqlite3_index_info& info, bool one_game);

/// What can be asked of column 0, the number of a game: bits of idxNum.
enum GameUse : unsigned {
    kGameEqual = 1U << 0,
    kGameFrom = 1U << 1,
    kGameTo = 1U << 2,
};
/// The one that a constraint on that column can be put to; 0 for none.
unsigned game_use(const sqlite3_index_info::sqlite3_index_constraint& constraint);

/// For a table that is only asked by that column: chooses constraints, one for each use, and makes
/// arguments of them, in the order of the bits; returns these. One game needs no range.
unsigned take_game_range(sqlite3_index_info& info);
/// The games that a plan and its arguments ask for, from 1 on.
IntegerRange game_range(unsigned uses, std::span<sqlite3_value*> arguments);

/// Arguments of a table-valued function: its hidden columns from `first` on. Those given become
/// arguments of the plan, in their order, and bits of idxNum from the lowest on. An SQLite result
/// code: SQLITE_CONSTRAINT where one depends on what is not known yet.
int take_arguments(sqlite3_index_info& info, int first, int count);

}  // namespace fendex::sqlite_ext
