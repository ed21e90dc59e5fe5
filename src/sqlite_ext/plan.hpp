// Query planning that the virtual tables share.
#pragma once

#include <span>

#include "sqlite_ext/values.hpp"
#include "store/sqlite/file/api.hpp"

namespace fendex::sqlite_ext {

/// Returns whether rows ordered by game and ply (columns 0 and 1) satisfy the ORDER BY of the
/// query. If all rows are of one game, the order by ply alone is enough.
bool in_game_order(const sqlite3_index_info& info, bool one_game);

/// Ways to use a constraint on column 0, the game number: bits of idxNum.
enum GameUse : unsigned {
    kGameEqual = 1U << 0,
    kGameFrom = 1U << 1,
    kGameTo = 1U << 2,
};
/// Returns the use for a constraint on that column; 0 if there is none.
unsigned game_use(const sqlite3_index_info::sqlite3_index_constraint& constraint);

/// For a table that is searched by that column only: chooses at most one constraint for each use
/// and passes their values as arguments, in the order of the bits. Returns the uses. If one game is
/// given, no range is used.
[[nodiscard]] unsigned take_game_range(sqlite3_index_info& info);
/// Returns the range of games, from 1 on, that a plan and its arguments select.
IntegerRange game_range(unsigned uses, std::span<sqlite3_value*> arguments);

/// Handles the arguments of a table-valued function: its hidden columns from `first` on. Arguments
/// that are given become arguments of the plan, in the same order, and set bits of idxNum from the
/// lowest on. Returns an SQLite result code: SQLITE_CONSTRAINT if the value of an argument is not
/// known yet.
[[nodiscard]] int take_arguments(sqlite3_index_info& info, int first, int count);

}  // namespace fendex::sqlite_ext
