#include "store/sqlite/segments/segment_facts.hpp"

#include <unordered_set>

namespace fendex::store {

namespace {

/// Games of more months have sums by year: by month these would be many, and of few games each.
constexpr std::size_t kMostMonths = 60;

}  // namespace

SegmentFacts::SegmentFacts(const GameRange& games, SegmentedWriter& writer) {
    games_.reserve(games.last - games.first + 1);
    std::unordered_set<std::uint32_t> months;
    for (GameId game = games.first; game <= games.last; ++game) {
        const codec::GameFacts facts = writer.facts(game);
        games_.push_back({facts.date, facts.white_elo, facts.black_elo, facts.result,
                          facts.time_class, facts.mode, facts.variant});
        if (months.size() <= kMostMonths) months.insert(facts.date.month_number());
    }
    if (months.size() > kMostMonths) period_ = codec::FinePeriod::kYear;
}

}  // namespace fendex::store
