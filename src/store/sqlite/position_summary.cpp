#include "store/sqlite/position_summary.hpp"

#include <algorithm>
#include <vector>

#include "store/sqlite/group_tally.hpp"

namespace fendex::store {

codec::PositionSummary summarise(std::span<const codec::Posting> sorted, GameId first_game,
                                 const std::function<codec::GameFacts(GameId)>& facts_of) {
    codec::PositionSummary summary;
    std::vector<std::uint32_t> games;  // to count distinct games over all groups
    games.reserve(sorted.size());
    for (std::size_t begin = 0; begin < sorted.size();) {
        codec::GroupSummary& group = summary.groups.emplace_back();
        group.next = sorted[begin].next();
        GroupTally tally;
        std::size_t end = begin;
        for (; end < sorted.size() && sorted[end].next() == group.next; ++end) {
            const std::uint32_t game = sorted[end].game();
            if (tally.add(game, [&] { return facts_of(first_game + game); })) {
                games.push_back(game);
            }
        }
        tally.put(group);
        summary.total.occurrences += group.tally.occurrences;
        begin = end;
    }
    std::sort(games.begin(), games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    for (const std::uint32_t game : games) summary.total.add_game(facts_of(first_game + game));
    return summary;
}

}  // namespace fendex::store
