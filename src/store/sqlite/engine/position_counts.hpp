// Counts the games that fit and reached a position.
#pragma once

#include <vector>

#include "base/stop_check.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fitting_games.hpp"

namespace fendex::store {

/// Positions with several postings are counted by their keys. Throws base::Stopped.
Engine::Counts count_position(LocalReader& reader, FittingGames& fitting, Engine::Targets targets,
                              base::StopCheck& stop);

/// Implements Engine::months().
std::vector<Engine::Month> months_of_position(LocalReader& reader, FittingGames& fitting,
                                              Engine::Targets targets, base::StopCheck& stop);

}  // namespace fendex::store
