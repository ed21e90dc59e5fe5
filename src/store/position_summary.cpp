#include "store/position_summary.hpp"

#include <algorithm>
#include <vector>

#include "codec/named_games.hpp"

namespace fendex::store {

namespace {

std::vector<std::uint32_t> games_of(const codec::NamedGames& named) {
    std::vector<std::uint32_t> games;
    for (const auto& entry : named.entries()) {
        games.push_back(static_cast<std::uint32_t>(entry.game));
    }
    return games;
}

}  // namespace

codec::PositionSummary summarise(std::span<const codec::Posting> sorted, GameId first_game,
                                 const std::function<codec::GameFacts(GameId)>& facts_of) {
    codec::PositionSummary summary;
    std::vector<std::uint32_t> games;  // for the distinct ones over all groups
    games.reserve(sorted.size());
    for (std::size_t begin = 0; begin < sorted.size();) {
        codec::GroupSummary& group = summary.groups.emplace_back();
        group.next = sorted[begin].next();
        codec::NamedGames top;
        codec::NamedGames recent;
        std::size_t end = begin;
        for (; end < sorted.size() && sorted[end].next() == group.next; ++end) {
            const std::uint32_t game = sorted[end].game();
            ++group.tally.occurrences;
            if (end != begin && sorted[end - 1].game() == game) continue;
            const codec::GameFacts facts = facts_of(first_game + game);
            group.tally.add_game(facts);
            games.push_back(game);
            top.offer(game, codec::rank_by_rating(facts));
            recent.offer(game, codec::rank_by_date(facts));
        }
        group.top_games = games_of(top);
        group.recent_games = games_of(recent);
        summary.total.occurrences += group.tally.occurrences;
        begin = end;
    }
    std::sort(games.begin(), games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    for (const std::uint32_t game : games) summary.total.add_game(facts_of(first_game + game));
    return summary;
}

}  // namespace fendex::store
