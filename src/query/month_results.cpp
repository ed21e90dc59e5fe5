#include "query/month_results.hpp"

#include <algorithm>
#include <array>

#include "codec/columns.hpp"
#include "query/game_set.hpp"

namespace fendex::query {

namespace {

using store::GameColumn;
using store::GameId;

/// Returns the games that fit and reached the position, ascending.
std::vector<std::uint32_t> games_that_reached(PositionSearch& search, const Question& question,
                                              base::StopCheck& stop) {
    const auto position = search.position_games(question, stop);
    std::vector<std::uint32_t> games = fitting(position->all, search.matcher());
    std::vector<Occurrence> others;
    search.append_occurrences(question.targets.front(), candidates_of(*position), others, stop);
    for (const Occurrence& each : others) games.push_back(static_cast<std::uint32_t>(each.game));
    std::sort(games.begin(), games.end());
    games.erase(std::unique(games.begin(), games.end()), games.end());
    return games;
}

void add_result(codec::Date date, std::uint32_t result, MonthResults& months) {
    if (!date.has_month()) return;
    const std::uint32_t month = date.month_number();
    switch (static_cast<codec::Result>(result)) {
        case codec::Result::kWhiteWins: ++months[month].white; break;
        case codec::Result::kBlackWins: ++months[month].black; break;
        case codec::Result::kDraw: ++months[month].draws; break;
        case codec::Result::kUnknown: break;
    }
}

/// Adds the results of one month. Skips a month without results, like add_result().
void add_results(const store::Engine::Month& of_engine, MonthResults& months) {
    const codec::ResultCounts& results = of_engine.results;
    if (results.decided() == 0) return;
    Results& month = months[of_engine.month];
    month.white += results.white();
    month.draws += results.draws();
    month.black += results.black();
}

}  // namespace

void add_month_results(store::StoreReader& reader, PositionSearch& search,
                       const chess::AnyPosition& position, MonthResults& months,
                       std::stop_token stop) {
    const Question question = Question::of(position);
    if (store::Engine* const engine = reader.engine()) {
        for (const store::Engine::Month& each :
             engine->months(question.keys(), search.matcher().filter(), std::move(stop))) {
            add_results(each, months);
        }
        return;
    }
    base::StopCheck check(std::move(stop));
    const std::vector<std::uint32_t> games = games_that_reached(search, question, check);
    std::array<std::uint32_t, codec::kGamesPerChunk> dates;
    std::array<std::uint32_t, codec::kGamesPerChunk> results;
    for (std::span<const std::uint32_t> rest(games); !rest.empty();) {
        check();
        const GameId first = rest.front();
        const auto piece = take_games_before(end_of_chunk(first), rest);
        const std::size_t count = piece.back() - first + 1;
        reader.column(GameColumn::kDate, first, std::span(dates).first(count));
        reader.column(GameColumn::kResult, first, std::span(results).first(count));
        for (const std::uint32_t game : piece) {
            add_result(dates[game - first], results[game - first], months);
        }
    }
}

}  // namespace fendex::query
