// The games that reached one of several positions and fit a filter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/stop_check.hpp"
#include "replay/occurrence_reader.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fitting_games.hpp"
#include "store/sqlite/engine/position_games.hpp"

namespace fendex::store {

/// Returns the games of the targets as sets. Null if there are several targets or a mirrored one.
std::shared_ptr<const PositionGames> games_of_targets(LocalReader& reader, Engine::Targets targets,
                                                      base::StopCheck& stop);
/// Returns the unverified games as candidates without a ply.
std::vector<Candidate> candidates_of(const PositionGames& games);
/// Returns the occurrences of all targets in games that fit, in no particular order.
std::vector<replay::Occurrence> occurrences_of(LocalReader& reader, FittingGames& fitting,
                                               Engine::Targets targets, base::StopCheck& stop);
/// Returns the games that fit and reached a target, ascending.
std::vector<std::uint32_t> games_that_reached(LocalReader& reader, FittingGames& fitting,
                                              Engine::Targets targets, base::StopCheck& stop);

/// Implements Engine::find(), Engine::reached() and Engine::in_variations().
std::unique_ptr<Engine::ReachedGames> find_games(LocalReader& reader,
                                                 std::shared_ptr<FittingGames> fitting,
                                                 Engine::Targets targets, GameId after,
                                                 std::stop_token stop);
std::vector<Engine::Reached> first_reached(LocalReader& reader, FittingGames& fitting,
                                           Engine::Targets targets, GameOrder order,
                                           const std::optional<RankedGame>& after, std::size_t most,
                                           base::StopCheck& stop);
std::vector<GameId> games_in_variations(LocalReader& reader, FittingGames& fitting,
                                        Engine::Targets targets, GameId after, std::size_t most,
                                        base::StopCheck& stop);

}  // namespace fendex::store
