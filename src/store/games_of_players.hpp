// The games of some players, from the store's lists (store/player_lists.hpp) and, after these, from
// the columns of players.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>

#include "store/game_column.hpp"
#include "store/local_reader.hpp"

namespace fendex::store {

/// For more players than these, columns are read faster than the lists.
inline constexpr std::size_t kFewPlayers = 128;

/// Calls visit() with each existing game in which one of these players, whose codes ascend, is in
/// one of the columns, kWhite and kBlack; for each of both. In no order. Throws base::Stopped.
void for_each_game_of(LocalReader& reader, std::span<const std::uint32_t> players,
                      std::span<const GameColumn> columns, const std::stop_token& stop,
                      const std::function<void(GameId game, std::uint32_t player)>& visit);

}  // namespace fendex::store
