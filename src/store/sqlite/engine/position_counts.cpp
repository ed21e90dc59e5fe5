#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "store/game_chunks.hpp"
#include "store/sqlite/engine/engine.hpp"
#include "store/sqlite/engine/fine_sums.hpp"
#include "store/sqlite/engine/position_scan.hpp"
#include "store/sqlite/engine/reached_games.hpp"

namespace fendex::store {

namespace {

/// Positions with several postings are counted by their keys.
Engine::Counts count_position(LocalReader& reader, FittingGames& fitting, Engine::Targets targets,
                              base::StopCheck& stop) {
    Engine::Counts count;
    std::vector<replay::Occurrence> found;
    const auto fits = [&](GameId game) { return fitting.contain(game, stop); };
    const auto count_fitting = [&](const std::vector<std::uint32_t>& games) {
        return static_cast<std::uint64_t>(std::ranges::count_if(games, fits));
    };
    if (targets.size() == 1 && fitting.takes_all()) {
        const auto totals = totals_of_position(reader, targets.front().key);
        for (const codec::Tally& sums : totals->sums) {
            count.games += sums.games;
            count.occurrences += sums.occurrences;
        }
        replay::OccurrenceReader(reader).append(targets.front(), totals->candidates, fits, found,
                                                stop);
    } else if (const auto fine =
                   fine_answer(reader, targets, fitting.filter(), {.may_leave_out = true}, stop)) {
        for (const FineAnswer::Sum& each : fine->sums) {
            count.games += each.sum->tally.games;
            count.occurrences += each.sum->tally.occurrences;
        }
        for (const codec::FineSum* sum : fine->again) count.games -= sum->tally.games;
        const PositionScan scan =
            scan_left_out(reader, targets.front().key, *fine, fitting, {.facts = false}, stop);
        count.games += scan.total.games;
        count.occurrences += scan.total.occurrences;
        append_candidates(reader, targets.front(), *fine, fitting.filter(), found, stop);
    } else if (auto few = occurrences_in_few_games(reader, fitting, targets, stop)) {
        found = std::move(*few);
    } else if (!is_one_position(targets)) {
        found = occurrences_of(reader, fitting, targets, stop);
    } else if (const auto sets = games_of_position_again(reader, targets.front().key, stop)) {
        for (const PositionGames::Group& group : sets->groups) {
            const std::size_t games = fitting.of(group.games, stop).size();
            count.games += games;
            count.occurrences += games + count_fitting(group.again);
        }
        count.games -= count_fitting(sets->in_others);
        replay::OccurrenceReader(reader).append(targets.front(), candidates_of(*sets), fits, found,
                                                stop);
    } else {
        const PositionScan scan =
            scan_position(reader, targets.front().key, fitting, {.facts = false}, stop);
        count.games += scan.total.games;
        count.occurrences += scan.total.occurrences;
        replay::OccurrenceReader(reader).append(targets.front(), scan.others, fits, found, stop);
    }
    count.occurrences += found.size();
    const auto earlier = [](const replay::Occurrence& a, const replay::Occurrence& b) {
        return a.game < b.game;
    };
    std::ranges::sort(found, earlier);
    const auto same = [](const replay::Occurrence& a, const replay::Occurrence& b) {
        return a.game == b.game;
    };
    count.games +=
        static_cast<std::uint64_t>(std::unique(found.begin(), found.end(), same) - found.begin());
    return count;
}

}  // namespace

std::vector<Engine::Counts> LocalEngine::counts(std::span<const std::vector<Target>> questions,
                                                const GameFilter& filter, std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    const std::shared_ptr<FittingGames> fits = fitting(filter, check);
    std::vector<Counts> out;
    out.reserve(questions.size());
    for (const std::vector<Target>& targets : questions) {
        out.push_back(count_position(reader_, *fits, targets, check));
    }
    return out;
}

namespace {

/// Collects results by month. Games without a month are left out.
class MonthSums {
  public:
    void add(codec::Date date, std::uint32_t result) {
        if (codec::ResultCounts* const of = results_of(date)) ++of->by_code[result];
    }
    void add(const codec::FineSum& sum) {
        codec::ResultCounts* const of = results_of(codec::Date::of_month(sum.of.period));
        if (of == nullptr) return;
        for (std::size_t i = 0; i < of->by_code.size(); ++i) {
            of->by_code[i] += sum.tally.results.by_code[i];
        }
    }
    void remove(const codec::FineSum& sum) {
        codec::ResultCounts* const of = results_of(codec::Date::of_month(sum.of.period));
        if (of == nullptr) return;
        for (std::size_t i = 0; i < of->by_code.size(); ++i) {
            of->by_code[i] -= sum.tally.results.by_code[i];
        }
    }
    std::vector<Engine::Month> take() {
        std::vector<Engine::Month> out;
        for (const auto& [number, month] : months_) out.push_back(month);
        return out;
    }

  private:
    /// Returns null if there is no month.
    codec::ResultCounts* results_of(codec::Date date) {
        if (!date.has_month()) return nullptr;
        const std::uint32_t month = date.month_number();
        return &months_.try_emplace(month, Engine::Month{month, {}}).first->second.results;
    }

    std::map<std::uint32_t, Engine::Month> months_;
};

}  // namespace

std::vector<Engine::Month> LocalEngine::months(Targets targets, const GameFilter& filter,
                                               std::stop_token stop) {
    base::StopCheck check(std::move(stop));
    MonthSums months;
    const std::shared_ptr<FittingGames> fits = fitting(filter, check);
    const auto fine = fine_answer(reader_, targets, fits->filter(), {.months = true}, check);
    std::vector<std::uint32_t> games;
    if (fine) {
        for (const FineAnswer::Sum& each : fine->sums) months.add(*each.sum);
        for (const codec::FineSum* sum : fine->again) months.remove(*sum);
        std::vector<replay::Occurrence> found;
        append_candidates(reader_, targets.front(), *fine, fits->filter(), found, check);
        for (const replay::Occurrence& each : found) {
            games.push_back(static_cast<std::uint32_t>(each.game));
        }
        sort_and_unite(games);
    } else {
        games = games_that_reached(reader_, *fits, targets, check);
    }
    std::array<std::uint32_t, codec::kGamesPerChunk> dates;
    std::array<std::uint32_t, codec::kGamesPerChunk> results;
    for (std::span<const std::uint32_t> rest(games); !rest.empty();) {
        check();
        const GameId first = rest.front();
        const auto piece = take_games_before(end_of_chunk(first), rest);
        const std::size_t count = piece.back() - first + 1;
        reader_.column(GameColumn::kDate, first, std::span(dates).first(count));
        reader_.column(GameColumn::kResult, first, std::span(results).first(count));
        for (const std::uint32_t game : piece) {
            months.add(codec::Date(dates[game - first]), results[game - first]);
        }
    }
    return months.take();
}

}  // namespace fendex::store
