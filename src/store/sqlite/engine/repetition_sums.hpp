// Lists and sums up repeated positions and long runs of the halfmove clock.
#pragma once

#include <functional>
#include <span>

#include "base/stop_check.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fitting_games.hpp"

namespace fendex::store {

/// Implement the functions of Engine. Call visit() with the rows of one game at a time. Throw
/// base::Stopped.
void list_repetitions(LocalReader& reader, FittingGames& fitting,
                      const Engine::RepetitionQuestion& question, GameId from,
                      const std::function<bool(std::span<const Engine::RepetitionOfGame>)>& visit,
                      base::StopCheck& stop);
void list_quiet_runs(LocalReader& reader, FittingGames& fitting,
                     const Engine::QuietRunQuestion& question, GameId from,
                     const std::function<bool(std::span<const Engine::QuietRunOfGame>)>& visit,
                     base::StopCheck& stop);
Engine::RepetitionSums sum_up_repetitions(LocalReader& reader, FittingGames& fitting,
                                          std::uint32_t min_count,
                                          const Engine::RepetitionLists& most,
                                          base::StopCheck& stop);

}  // namespace fendex::store
