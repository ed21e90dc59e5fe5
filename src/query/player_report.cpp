#include "query/player_report.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "replay/opening_names.hpp"

namespace fendex::query {

PlayerScore PlayerScore::of(codec::Result result, bool white) {
    codec::ResultCounts one;
    one[result] = 1;
    return of(one, white ? chess::Color::kWhite : chess::Color::kBlack);
}

PlayerScore PlayerScore::of(const codec::ResultCounts& results, chess::Color side) {
    return {.games = results.by_code[0] + results.decided(),
            .wins = results.wins_of(side),
            .draws = results.draws(),
            .losses = results.wins_of(~side)};
}

void PlayerScore::add(const PlayerScore& other) {
    games += other.games;
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
}

double PlayerScore::percent() const {
    if (decided() == 0) return 0;
    return 100 * (static_cast<double>(wins) + static_cast<double>(draws) / 2) /
           static_cast<double>(decided());
}

PlayerReporter::PlayerReporter(std::vector<std::string> names) : names_(std::move(names)) {}

void PlayerReporter::add(store::StoreReader& reader, GameMatcher& matcher, std::stop_token stop) {
    const auto sides = reader.engine().side_sums(names_, matcher.filter(), std::move(stop));
    std::map<std::uint32_t, SideSums::Month> months;
    for (const chess::Color side : {chess::Color::kWhite, chess::Color::kBlack}) {
        const SideSums& sums = sides[chess::index(side)];
        for (const SideSums::Score& each : sums.scores) {
            const PlayerScore score = PlayerScore::of(each.results, side);
            (side == chess::Color::kWhite ? white_ : black_).add(score);
            years_[each.year].add(score);
            opponents_[each.opponents].add(score);
        }
        for (const SideSums::Opening& each : sums.openings) {
            openings_[chess::index(side)][each.opening].add(PlayerScore::of(each.results, side));
        }
        // A game between two of the names counts for both sides; Black's rating is the last.
        add_months(sums.months, months, [](const auto& a, const auto& b) {
            return std::tie(a.date, a.game) < std::tie(b.date, b.game);
        });
    }
    std::vector<SideSums::Month> of_both;
    of_both.reserve(months.size());
    for (const auto& [month, each] : months) of_both.push_back(each);
    add_months(of_both, months_, [](const auto& a, const auto& b) { return a.date < b.date; });
}

/// Adds months to sums. The last game is the one that is before none by `is_before`; among equal
/// ones, the one that was added last.
template <typename IsBefore>
void PlayerReporter::add_months(const std::vector<SideSums::Month>& more,
                                std::map<std::uint32_t, SideSums::Month>& sums,
                                IsBefore is_before) {
    for (const SideSums::Month& each : more) {
        SideSums::Month& sum = sums[each.month];
        const std::uint64_t games = sum.games + each.games;
        if (sum.games == 0 || !is_before(each, sum)) sum = each;
        sum.games = games;
    }
}

PlayerReport PlayerReporter::report() const {
    PlayerReport out;
    out.white = white_;
    out.black = black_;
    for (const auto& [year, score] : years_) out.years.push_back({year, score});
    for (const auto& [low, score] : opponents_) out.opponents.push_back({low, score});
    for (const auto& [month, last] : months_) {
        out.ratings.push_back({month, last.rating, last.games});
    }
    for (const chess::Color side : {chess::Color::kWhite, chess::Color::kBlack}) {
        for (const auto& [text, score] : openings_[chess::index(side)]) {
            const replay::Opening opening = replay::opening_of_text(text);
            out.openings.push_back({side == chess::Color::kWhite, std::string(opening.eco),
                                    std::string(opening.name), score});
        }
    }
    std::ranges::sort(out.openings,
                      [](const PlayerReport::Opening& a, const PlayerReport::Opening& b) {
                          return std::tie(b.white, b.score.games, a.eco, a.name) <
                                 std::tie(a.white, a.score.games, b.eco, b.name);
                      });
    return out;
}

}  // namespace fendex::query
