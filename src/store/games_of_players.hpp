// The games of some players, from the store's lists (store/player_lists.hpp) and, after these, from
// the columns of players.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "store/column_scan.hpp"
#include "store/game_column.hpp"
#include "store/game_filter.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

/// Returns whether the games of these players, whose codes ascend, are found faster in the store's
/// lists than in the columns.
[[nodiscard]] bool prefers_lists(LocalReader& reader, std::span<const std::uint32_t> players);

/// Returns a scan of the games that fit a filter and in which one of these players, whose codes
/// ascend, has a colour; games of others may be among them. Throws base::Stopped.
[[nodiscard]] ColumnScan scan_games_of(LocalReader& reader, std::span<const std::uint32_t> players,
                                       const GameFilter& filter, std::vector<GameColumn> columns,
                                       const std::stop_token& stop);

}  // namespace fendex::store
