// The games that reached one of several positions and fit a filter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/stop_check.hpp"
#include "replay/occurrence_reader.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fitting_games.hpp"
#include "store/sqlite/engine/position_games.hpp"

namespace fendex::store {

/// Sorts games and removes all but one of each.
template <typename Number>
void sort_and_unite(std::vector<Number>& games) {
    std::ranges::sort(games);
    games.erase(std::unique(games.begin(), games.end()), games.end());
}

/// Returns whether there is one target, and it is not mirrored.
bool is_one_position(Engine::Targets targets);
/// Returns the games of the targets as sets. Null if there are several targets or a mirrored one.
std::shared_ptr<const PositionGames> games_of_targets(LocalReader& reader, Engine::Targets targets,
                                                      base::StopCheck& stop);
/// Returns the unverified games as candidates without a ply.
std::vector<Candidate> candidates_of(const PositionGames& games);
/// Returns the occurrences of all targets in games that fit, in no particular order.
std::vector<replay::Occurrence> occurrences_of(LocalReader& reader, FittingGames& fitting,
                                               Engine::Targets targets, base::StopCheck& stop);
/// Returns the same if few games fit and many have reached the targets: then those that fit are
/// replayed, which is faster than reading the games of the targets. Empty otherwise.
std::optional<std::vector<replay::Occurrence>> occurrences_in_few_games(LocalReader& reader,
                                                                        FittingGames& fitting,
                                                                        Engine::Targets targets,
                                                                        base::StopCheck& stop);
/// Returns the games that fit and reached a target, ascending.
std::vector<std::uint32_t> games_that_reached(LocalReader& reader, FittingGames& fitting,
                                              Engine::Targets targets, base::StopCheck& stop);

}  // namespace fendex::store
