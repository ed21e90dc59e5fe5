#include "store/sqlite/engine/fine_sums.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "base/key_text.hpp"
#include "store/rating_groups.hpp"
#include "store/sqlite/engine/fitting_games.hpp"
#include "store/sqlite/engine/reached_games.hpp"

namespace fendex::store {

namespace {

/// The games of fewer are quickly looked at one by one.
constexpr std::uint64_t kWorthWhile = 2000;
/// There must be so many games for each sum on average.
constexpr std::uint64_t kGamesOfSum = 4;
/// More sums are not kept; they take up to some 20 MB.
constexpr std::size_t kMostSums = 30'000;
/// The share of the games that may be left out. To look at each of more would take longer, for the
/// next position, too, than to find out once which games fit.
constexpr double kMostLeftOut = 0.25;
/// Sums that are made here name so many games, as many as the lists of an explorer have.
constexpr std::size_t kNamedGamesOfMade = 15;

FineFit fit_of(const NumberRange& asked, const NumberRange& range) {
    if (asked.contains(range.low) && asked.contains(range.high)) return FineFit::kAll;
    return range.high < asked.low || asked.high < range.low ? FineFit::kNone : FineFit::kSome;
}

/// Returns whether only some dates of a month are asked for, so that sums by month cannot tell.
bool cuts_month(const NumberRange& dates) {
    const std::uint32_t first = dates.low % 100;
    const std::uint32_t last = dates.high % 100;
    return (dates.low != 0 && first > 1) || (dates.high != NumberRange{}.high && last < 31);
}

/// Returns the dates that fit. A filter of all dates takes games without a date, too.
NumberRange dates_of(const GameFilter& filter) {
    NumberRange asked = filter.date;
    if (!asked.is_everything()) asked.low = std::max(asked.low, codec::kFirstYear.number());
    return asked;
}

/// Empty means: unknown ones.
FineFit fit_of_means(const GameFilter& filter, const std::optional<NumberRange>& means) {
    if (!filter.mean_elo) return FineFit::kAll;
    if (!means) return FineFit::kNone;
    FineFit out = FineFit::kNone;
    for (const NumberRange& asked : *filter.mean_elo) {
        const FineFit fit = fit_of(asked, *means);
        if (fit == FineFit::kAll) return fit;
        if (fit == FineFit::kSome) out = fit;
    }
    return out;
}

template <typename Value>
bool is_one_of(const std::optional<std::vector<Value>>& asked, Value value) {
    return !asked || std::ranges::find(*asked, value) != asked->end();
}

/// Compares what is the same in all games of a sum.
template <typename Values>
bool has_values(const GameFilter& filter, const Values& values) {
    return is_one_of(filter.time_classes, values.time_class) &&
           (!filter.mode || *filter.mode == values.mode) && is_one_of(filter.modes, values.mode) &&
           (!filter.variant || is_of_variant(values.variant, *filter.variant));
}

/// The position's sums, or none if they save nothing.
struct Kept {
    std::shared_ptr<const FineOverview> overview;
};

std::size_t bytes_of(const FineOverview& overview) {
    std::size_t bytes = sizeof overview + overview.candidates.size() * sizeof(Candidate);
    for (const FineOverview::Part& part : overview.parts) bytes += part.sums.bytes();
    return bytes;
}

bool is_too_large(const FineOverview& overview, SnapshotCache& cache) {
    return bytes_of(overview) > cache.capacity() / 2;
}

/// Returns what was kept under this key, or what make() makes. Sums that are too large are not
/// kept.
template <typename Make>
std::shared_ptr<const FineOverview> kept_or_made(LocalReader& reader, const std::string& key,
                                                 Make make) {
    SnapshotCache& cache = reader.snapshot_cache();
    if (const auto known = cache.get<Kept>(key)) return known->overview;
    std::optional<FineOverview> made = make();
    auto overview = made ? std::make_shared<const FineOverview>(*std::move(made)) : nullptr;
    if (!overview || !is_too_large(*overview, cache)) {
        cache.put(key, std::make_shared<Kept>(Kept{overview}),
                  key.size() + (overview ? bytes_of(*overview) : 0));
    }
    return overview;
}

std::string cache_key(std::string_view what, std::uint64_t key) {
    return base::KeyText(what).add(key).text();
}

std::shared_ptr<const FineOverview> stored_sums(LocalReader& reader, std::uint64_t key) {
    return kept_or_made(reader, cache_key("stored fine sums", key),
                        [&] { return reader.fine_overview(key); });
}

std::optional<FineOverview> make_sums(LocalReader& reader, std::uint64_t key,
                                      base::StopCheck& stop) {
    if (reader.pieces(key)->games() < kWorthWhile) return std::nullopt;
    FittingGames all(reader, GameFilter{}, stop);
    PositionScan scan = scan_position(
        reader, key, all,
        {.facts = false, .fine_sums = kMostSums, .fine_named_games = kNamedGamesOfMade}, stop);
    std::size_t sums = 0;
    for (const PositionScan::Group& each : scan.groups) sums += each.fine.size();
    if (!scan.fine_is_whole || sums > scan.total.games / kGamesOfSum) return std::nullopt;
    FineOverview out;
    out.parts.push_back({{0, reader.last_game()}, {}});
    codec::FineSums& fine = out.parts.front().sums;
    fine.named_games = kNamedGamesOfMade;
    for (PositionScan::Group& each : scan.groups)
        fine.groups.push_back({each.next, each.fine.take()});
    codec::FineSumsBuilder again(fine.period, 0);
    for (const std::uint32_t game : scan.in_others) again.add(game, reader.facts(game));
    fine.again = again.take();
    out.candidates = std::move(scan.others);
    // They would be made for each question.
    if (is_too_large(out, reader.snapshot_cache())) return std::nullopt;
    return out;
}

/// Returns sums by month, which take a look at all games of the position the first time: null if
/// this is the first time that they are wanted, or if they save nothing.
std::shared_ptr<const FineOverview> made_sums_again(LocalReader& reader, std::uint64_t key,
                                                    base::StopCheck& stop) {
    const std::string text = cache_key("made fine sums", key);
    if (!reader.snapshot_cache().get<Kept>(text) && !reader.snapshot_cache().is_asked_again(text)) {
        return nullptr;
    }
    return kept_or_made(reader, text, [&] { return make_sums(reader, key, stop); });
}

/// Appends the sums whose games fit; returns false if only some of the games of one fit. Calls
/// add() with each.
template <typename Add>
bool add_fitting(const GameFilter& filter, codec::FinePeriod period,
                 const std::vector<codec::FineSum>& sums, Add add) {
    const auto period_of = [&](std::uint32_t date) { return codec::fine_period(date, period); };
    const std::uint32_t last = period_of(filter.date.high);
    const auto first =
        std::ranges::lower_bound(sums, period_of(filter.date.low), {},
                                 [](const codec::FineSum& sum) { return sum.of.period; });
    for (auto sum = first; sum != sums.end() && sum->of.period <= last; ++sum) {
        const FineFit fit = fit_of(filter, *sum);
        if (fit == FineFit::kSome) return false;
        if (fit == FineFit::kAll) add(*sum);
    }
    return true;
}

/// Adds the sums of a part whose games fit. Returns false, and adds none, if only some of the games
/// of one fit.
bool add_part(const GameFilter& filter, const FineOverview::Part& part, FineAnswer& out) {
    const codec::FineSums& sums = part.sums;
    const std::size_t sums_before = out.sums.size();
    const std::size_t again_before = out.again.size();
    const auto add_again = [&](const codec::FineSum& sum) { out.again.push_back(&sum); };
    bool is_whole = add_fitting(filter, sums.period, sums.again, add_again);
    for (const codec::FineSums::Group& group : sums.groups) {
        const auto add = [&](const codec::FineSum& sum) {
            out.sums.push_back({group.next, part.games.first, &sum});
        };
        is_whole = is_whole && add_fitting(filter, sums.period, group.sums, add);
    }
    if (!is_whole) {
        out.sums.resize(sums_before);
        out.again.resize(again_before);
    }
    return is_whole;
}

/// Returns the answer; empty if parts cannot be added and more than these games would have to be
/// left out.
std::optional<FineAnswer> answer_from(std::shared_ptr<const FineOverview> overview,
                                      const GameFilter& filter, const FineNeeds& needs,
                                      double most_left_out = 0) {
    if (!overview) return std::nullopt;
    FineAnswer out;
    GameId games = 0;
    GameId left_out = 0;
    for (const FineOverview::Part& part : overview->parts) {
        const GameId games_of_part = part.games.last - part.games.first + 1;
        games += games_of_part;
        const codec::FineSums& sums = part.sums;
        if (sums.named_games < needs.named_games) return std::nullopt;
        if (needs.months && sums.period != codec::FinePeriod::kMonth) return std::nullopt;
        if (add_part(filter, part, out)) continue;
        if (most_left_out == 0) return std::nullopt;
        out.left_out.push_back(part.games);
        left_out += games_of_part;
    }
    if (static_cast<double>(left_out) > most_left_out * static_cast<double>(games)) {
        return std::nullopt;
    }
    out.owner = std::move(overview);
    return out;
}

}  // namespace

FineFit fit_of(const GameFilter& filter, const codec::FineSum& sum) {
    if (!has_values(filter, sum.of)) return FineFit::kNone;
    const NumberRange dates{sum.tally.first_date.number(), sum.tally.last_date.number()};
    const FineFit of_dates = fit_of(dates_of(filter), dates);
    if (of_dates == FineFit::kNone) return of_dates;
    std::optional<NumberRange> means;
    if (sum.of.rating_group != codec::FineClass::kNoGroup) {
        means = ratings_of_group(sum.of.rating_group);
    }
    const FineFit of_means = fit_of_means(filter, means);
    if (of_means == FineFit::kNone) return of_means;
    return of_dates == FineFit::kAll ? of_means : of_dates;
}

bool fits(const GameFilter& filter, const codec::GameFacts& facts) {
    std::optional<NumberRange> means;
    if (facts.white_elo != 0 && facts.black_elo != 0) {
        const std::uint32_t mean = (std::uint32_t{facts.white_elo} + facts.black_elo) / 2;
        means = {mean, mean};
    }
    return has_values(filter, facts) && dates_of(filter).contains(facts.date.number()) &&
           fit_of_means(filter, means) == FineFit::kAll;
}

void append_candidates(LocalReader& reader, const Engine::Target& target, const FineAnswer& fine,
                       const GameFilter& filter, std::vector<replay::Occurrence>& out,
                       base::StopCheck& stop) {
    replay::OccurrenceReader(reader).append(
        target, fine.candidates(), [&](GameId game) { return fits(filter, reader.facts(game)); },
        out, stop);
}

std::optional<FineAnswer> fine_answer(LocalReader& reader, Engine::Targets targets,
                                      const GameFilter& filter, const FineNeeds& needs,
                                      base::StopCheck& stop) {
    if (!is_one_position(targets) || !is_for_fine_sums(filter)) return std::nullopt;
    if (!reader.has_whole_facts()) return std::nullopt;
    const std::uint64_t key = targets.front().key;
    const std::shared_ptr<const FineOverview> stored = stored_sums(reader, key);
    if (auto answer = answer_from(stored, filter, needs)) return answer;
    if (needs.may_leave_out && cuts_month(filter.date)) {
        if (auto answer = answer_from(stored, filter, needs, kMostLeftOut)) return answer;
    }
    return answer_from(made_sums_again(reader, key, stop), filter, needs);
}

PositionScan scan_left_out(LocalReader& reader, std::uint64_t key, const FineAnswer& fine,
                           const FittingGames& fitting, const ScanSums& sums,
                           base::StopCheck& stop) {
    if (fine.left_out.empty()) return {};
    return scan_parts(reader, key, fine.left_out, fitting.fact_test().value(), sums, stop);
}

}  // namespace fendex::store
