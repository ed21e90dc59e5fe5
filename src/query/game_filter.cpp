#include "query/game_filter.hpp"

#include <algorithm>

namespace fendex::query {

namespace {

using store::GameId;

/// The number of games that are listed at once.
constexpr std::size_t kGamesListed = std::size_t{1} << 20;

}  // namespace

GameMatcher::GameMatcher(store::StoreReader& reader, GameFilter filter, std::stop_token stop)
    : reader_(reader),
      filter_(std::move(filter)),
      stop_(std::move(stop)),
      takes_all_(filter_ == GameFilter{}) {
    reader_.engine().prepare(filter_, stop_);
}

bool GameMatcher::operator()(GameId game) {
    return takes_all_ ||
           !reader_.engine().ranks(filter_, GameOrder::kId, {&game, 1}, stop_).empty();
}

std::uint64_t GameMatcher::count() { return reader_.engine().count_games(filter_, stop_); }

GameOrder game_order_of(std::string_view name) {
    if (name == "id") return GameOrder::kId;
    if (name == "date") return GameOrder::kDate;
    if (name == "elo") return GameOrder::kElo;
    if (name == "plies") return GameOrder::kPlies;
    throw FilterError("sort", "'" + std::string(name) + "' is not one of id, date, elo, plies");
}

namespace {

std::vector<GameId> without_ranks(const std::vector<RankedGame>& ranked) {
    std::vector<GameId> games;
    games.reserve(ranked.size());
    for (const RankedGame& each : ranked) games.push_back(each.game);
    return games;
}

}  // namespace

std::vector<RankedGame> rank_games(store::StoreReader& reader, GameOrder order,
                                   std::span<const GameId> games, std::stop_token stop) {
    std::vector<RankedGame> ranked = reader.engine().ranks({}, order, games, std::move(stop));
    std::sort(ranked.begin(), ranked.end());
    return ranked;
}

std::vector<RankedGame> select_ranked_games(store::StoreReader& reader, GameMatcher& matcher,
                                            GameOrder order, std::size_t most,
                                            std::stop_token stop) {
    return reader.engine().games(matcher.filter(), order, std::nullopt, most, std::move(stop));
}

std::vector<GameId> select_games(store::StoreReader& reader, GameMatcher& matcher, GameOrder order,
                                 std::size_t most, std::stop_token stop) {
    if (order != GameOrder::kId) {
        return without_ranks(select_ranked_games(reader, matcher, order, most, std::move(stop)));
    }
    std::vector<GameId> out;
    while (out.size() < most) {
        const std::size_t wanted = std::min(kGamesListed, most - out.size());
        const std::vector<GameId> more =
            games_after(reader, matcher, out.empty() ? 0 : out.back(), wanted, stop);
        out.insert(out.end(), more.begin(), more.end());
        if (more.size() < wanted) break;
    }
    return out;
}

std::vector<GameId> games_after(store::StoreReader& reader, GameMatcher& matcher, GameId after,
                                std::size_t most, std::stop_token stop) {
    return without_ranks(reader.engine().games(matcher.filter(), GameOrder::kId,
                                               RankedGame{0, after}, most, std::move(stop)));
}

}  // namespace fendex::query
