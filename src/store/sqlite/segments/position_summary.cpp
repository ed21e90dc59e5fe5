#include "store/sqlite/segments/position_summary.hpp"

#include <utility>

namespace fendex::store {

PositionSum::PositionSum(std::vector<bool>& seen, const Facts& facts,
                         std::optional<FineRequest> fine)
    : seen_(seen),
      facts_(facts),
      fine_(fine),
      fine_sums_of_group_(fine ? fine->period : codec::FinePeriod::kMonth) {
    if (fine) out_.fine.emplace().period = fine->period;
}

void PositionSum::add(chess::Move next, std::uint32_t game) {
    if (!in_group_ || next != next_) {
        end_group();
        in_group_ = true;
        next_ = next;
    }
    const bool is_new = tally_.add(game, [&] { return game_facts_ = facts_(game); });
    if (fine_) {
        if (is_new) fine_sums_of_group_.add(game, game_facts_);
        fine_sums_of_group_.add_occurrences(game_facts_, 1);
        if (fine_sums_ + fine_sums_of_group_.size() > fine_->most) fine_.reset();
    }
    if (!is_new) return;
    if (game >= seen_.size()) seen_.resize(std::size_t{game} + 1);
    if (seen_[game]) again_.push_back(game);
    seen_[game] = true;
}

void PositionSum::end_group() {
    if (!in_group_) return;
    codec::GroupSummary& group = out_.summary.groups.emplace_back();
    group.next = next_;
    tally_.put(group);
    tally_ = {};
    out_.summary.total.add(group.tally);
    if (!fine_) return;
    fine_sums_ += fine_sums_of_group_.size();
    out_.fine->groups.push_back({next_, fine_sums_of_group_.take()});
}

SummedPosition PositionSum::finish() {
    end_group();
    if (!fine_) out_.fine.reset();
    codec::FineSumsBuilder again(fine_ ? fine_->period : codec::FinePeriod::kMonth, 0);
    for (const std::uint32_t game : again_) {
        const codec::GameFacts facts = facts_(game);
        out_.summary.total.remove_game(facts);
        if (fine_) again.add(game, facts);
    }
    if (fine_) out_.fine->again = again.take();
    return std::move(out_);
}

SummedPosition PositionSummarizer::summarise(std::span<const codec::Posting> sorted,
                                             const PositionSum::Facts& facts,
                                             std::optional<FineRequest> fine) {
    PositionSum sum(seen_, facts, fine);
    for (const codec::Posting& posting : sorted) sum.add(posting.next(), posting.game());
    SummedPosition out = sum.finish();
    for (const codec::Posting& posting : sorted) seen_[posting.game()] = false;
    return out;
}

}  // namespace fendex::store
