#include "store/games_of_players.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/stop_check.hpp"
#include "store/column_scan.hpp"

namespace fendex::store {

void for_each_game_of(LocalReader& reader, std::span<const std::uint32_t> players,
                      std::span<const GameColumn> columns, const std::stop_token& stop,
                      const std::function<void(GameId, std::uint32_t)>& visit) {
    if (players.empty()) return;
    GameId listed = 0;
    PlayerLists* const lists = players.size() <= kFewPlayers ? reader.player_lists() : nullptr;
    if (lists != nullptr) {
        base::StopCheck check(stop);
        const std::shared_ptr<const void> scope = reader.begin_scan();
        lists->for_each_game(
            players, check, [&](std::uint32_t player, GameId game, chess::Color color) {
                const bool is_asked = std::ranges::find(columns, column_of(color)) != columns.end();
                if (is_asked && reader.has_game(game)) visit(game, player);
            });
        listed = lists->last_game();
    }
    std::vector<bool> is_asked(players.back() + std::size_t{1});
    for (const std::uint32_t player : players) is_asked[player] = true;
    ColumnScan scan(reader, {}, {columns.begin(), columns.end()}, stop, listed + 1);
    while (scan.next()) {
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const std::span<const std::uint32_t> values = scan.values(column);
            for (const std::uint32_t place : scan.places()) {
                const std::uint32_t player = values[place];
                if (player < is_asked.size() && is_asked[player]) {
                    visit(scan.first() + place, player);
                }
            }
        }
    }
}

}  // namespace fendex::store
