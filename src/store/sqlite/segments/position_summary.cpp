#include "store/sqlite/segments/position_summary.hpp"

#include "store/sqlite/segments/group_tally.hpp"

namespace fendex::store {

codec::PositionSummary PositionSummarizer::summarise(
    std::span<const codec::Posting> sorted, GameId first_game,
    const std::function<codec::GameFacts(GameId)>& facts_of) {
    codec::PositionSummary summary;
    std::vector<std::uint32_t> again;  // games in several groups, once for each after the first
    for (std::size_t begin = 0; begin < sorted.size();) {
        codec::GroupSummary& group = summary.groups.emplace_back();
        group.next = sorted[begin].next();
        GroupTally tally;
        std::size_t end = begin;
        for (; end < sorted.size() && sorted[end].next() == group.next; ++end) {
            const std::uint32_t game = sorted[end].game();
            if (!tally.add(game, [&] { return facts_of(first_game + game); })) continue;
            if (game >= seen_.size()) seen_.resize(std::size_t{game} + 1);
            if (seen_[game]) again.push_back(game);
            seen_[game] = true;
        }
        tally.put(group);
        summary.total.add(group.tally);
        begin = end;
    }
    for (const std::uint32_t game : again) summary.total.remove_game(facts_of(first_game + game));
    for (const codec::Posting& posting : sorted) seen_[posting.game()] = false;
    return summary;
}

}  // namespace fendex::store
