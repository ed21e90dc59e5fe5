// Ranks of games in an order, read in bulk.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/stop_check.hpp"
#include "store/engine.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/engine/fitting_games.hpp"

namespace fendex::store {

/// Returns games, which must ascend, with their ranks, in the same order. Throws base::Stopped.
std::vector<RankedGame> ranks_of_games(LocalReader& reader, GameOrder order,
                                       std::span<const std::uint32_t> games, base::StopCheck& stop);
/// Returns the first `most` of the games, which must ascend, that come after `after` in an order.
/// Throws base::Stopped.
std::vector<RankedGame> first_games(LocalReader& reader, GameOrder order,
                                    std::span<const std::uint32_t> games,
                                    const std::optional<RankedGame>& after, std::size_t most,
                                    base::StopCheck& stop);
/// Does the same with all games that fit.
std::vector<RankedGame> first_games(LocalReader& reader, GameOrder order, FittingGames& fitting,
                                    const std::optional<RankedGame>& after, std::size_t most,
                                    base::StopCheck& stop);

}  // namespace fendex::store
