#include "store/games_of_players.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/stop_check.hpp"
#include "store/engine.hpp"

namespace fendex::store {

namespace {

/// For more players than these, columns are read faster than the lists.
constexpr std::size_t kFewPlayers = 128;

/// Returns the games in which one of the players has a colour, ascending; deleted ones may be among
/// them.
std::vector<GameId> games_of(LocalReader& reader, std::span<const std::uint32_t> players,
                             const std::stop_token& stop) {
    std::vector<GameId> games;
    PlayerLists& lists = *reader.player_lists();
    {
        base::StopCheck check(stop);
        const std::shared_ptr<const void> scope = reader.begin_scan();
        lists.for_each_game(players, check, [&](std::uint32_t, GameId game, chess::Color) {
            games.push_back(game);
        });
    }
    ColumnScan rest(reader, {}, {GameColumn::kWhite, GameColumn::kBlack}, stop,
                    lists.last_game() + 1);
    while (rest.next()) {
        for (const std::uint32_t place : rest.places()) {
            const auto is_player = [&](std::size_t column) {
                return std::ranges::binary_search(players, rest.values(column)[place]);
            };
            if (is_player(0) || is_player(1)) games.push_back(rest.first() + place);
        }
    }
    std::ranges::sort(games);
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

}  // namespace

bool prefers_lists(LocalReader& reader, std::span<const std::uint32_t> players) {
    const PlayerLists* const lists = reader.player_lists();
    return lists != nullptr && lists->last_game() != 0 && players.size() <= kFewPlayers;
}

ColumnScan scan_games_of(LocalReader& reader, std::span<const std::uint32_t> players,
                         const GameFilter& filter, std::vector<GameColumn> columns,
                         const std::stop_token& stop) {
    if (!prefers_lists(reader, players)) return {reader, filter, std::move(columns), stop};
    const std::vector<GameId> games = games_of(reader, players, stop);
    ColumnScan::ListedGames fitting(reader.engine().ranks(filter, GameOrder::kId, games, stop));
    return {reader, std::move(fitting), std::move(columns), stop};
}

}  // namespace fendex::store
