// Tells whether a game fits a condition, and which games of the database do: that set is made by
// reading whole columns, and kept in the snapshot cache, so that the same condition costs nothing
// in the next question.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/stop_check.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/game_conditions.hpp"
#include "store/sqlite/engine/game_set.hpp"

namespace fendex::store {

bool fits(LocalReader& reader, const GameCondition& condition, GameId game);
/// Returns the games that fit, for each of the conditions. Deleted games may be among them.
std::vector<std::shared_ptr<const GameSet>> games_that_fit(
    LocalReader& reader, std::span<const GameCondition> conditions, base::StopCheck& stop);
/// Returns the games of the database, without deleted ones.
std::shared_ptr<const GameSet> existing_games(LocalReader& reader);

}  // namespace fendex::store
