#include "ask/ranked_games.hpp"

#include <algorithm>
#include <utility>

namespace fendex::ask {

std::vector<PlacedGame> merged(std::span<const std::vector<query::RankedGame>> databases) {
    std::vector<std::pair<std::uint32_t, PlacedGame>> all;
    for (std::uint32_t i = 0; i < databases.size(); ++i) {
        for (const query::RankedGame& each : databases[i]) {
            all.push_back({each.rank, {i, each.game}});
        }
    }
    if (databases.size() > 1) {
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
    }
    std::vector<PlacedGame> games;
    games.reserve(all.size());
    for (const auto& [rank, game] : all) games.push_back(game);
    return games;
}

std::span<const PlacedGame> front_of_one_database(std::span<const PlacedGame> games,
                                                  std::size_t first, std::size_t most) {
    std::size_t end = first;
    while (end < games.size() && end - first < most &&
           games[end].database == games[first].database) {
        ++end;
    }
    return games.subspan(first, end - first);
}

std::size_t games_for(std::uint64_t after, std::uint64_t limit) {
    const bool all = limit >= query::kAllGames / 2 || after > query::kAllGames / 2;
    return all ? query::kAllGames : after + limit + 1;
}

}  // namespace fendex::ask
