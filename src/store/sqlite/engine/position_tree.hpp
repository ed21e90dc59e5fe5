// Sums up the moves that games played from a position.
#pragma once

#include "base/stop_check.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fitting_games.hpp"

namespace fendex::store {

/// Implements Engine::tree(). Throws base::Stopped.
Engine::Tree tree_of_position(LocalReader& reader, FittingGames& fitting, Engine::Targets targets,
                              const Engine::TreeLists& lists, base::StopCheck& stop);

}  // namespace fendex::store
