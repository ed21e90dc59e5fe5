#include "store/sqlite/engine/fine_sums.hpp"

#include <algorithm>
#include <ranges>

#include "base/key_text.hpp"
#include "store/rating_groups.hpp"
#include "store/sqlite/engine/fitting_games.hpp"
#include "store/sqlite/engine/position_scan.hpp"

namespace fendex::store {

namespace {

/// The games of fewer are quickly looked at one by one.
constexpr std::uint64_t kWorthWhile = 2000;
/// There must be so many games for each sum on average.
constexpr std::uint64_t kGamesOfSum = 4;
/// More sums are not kept; they take up to some 20 MB.
constexpr std::size_t kMostSums = 30'000;
constexpr std::uint64_t kUnknownMean = 15;

std::optional<std::uint32_t> mean_elo(const codec::GameFacts& facts) {
    if (facts.white_elo == 0 || facts.black_elo == 0) return std::nullopt;
    return (std::uint32_t{facts.white_elo} + facts.black_elo) / 2;
}

/// Returns the number of the values that sums are apart by, in the order of months.
std::uint64_t key_of(const codec::GameFacts& facts) {
    const std::optional<std::uint32_t> mean = mean_elo(facts);
    std::uint64_t key = facts.date.month_number();
    key = key << 4 | (mean ? rating_group_of(*mean) : kUnknownMean);
    key = key << 8 | static_cast<std::uint64_t>(facts.time_class);
    key = key << 8 | static_cast<std::uint64_t>(facts.mode);
    return key << 8 | static_cast<std::uint64_t>(facts.variant);
}

void widen(NumberRange& range, std::uint32_t low, std::uint32_t high) {
    range.low = std::min(range.low, low);
    range.high = std::max(range.high, high);
}

FineFit fit_of(const NumberRange& asked, const NumberRange& range) {
    if (asked.contains(range.low) && asked.contains(range.high)) return FineFit::kAll;
    return range.high < asked.low || asked.high < range.low ? FineFit::kNone : FineFit::kSome;
}

FineFit fit_of_dates(const GameFilter& filter, const NumberRange& dates) {
    if (filter.date.is_everything()) return FineFit::kAll;
    NumberRange asked = filter.date;
    asked.low = std::max(asked.low, codec::kFirstYear.number());
    return fit_of(asked, dates);
}

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

struct FineSumsOrNone {
    std::shared_ptr<const FineSums> sums;  // null if they save nothing
};

FineSumsOrNone make_fine_sums(LocalReader& reader, std::uint64_t key, base::StopCheck& stop) {
    FittingGames all(reader, GameFilter{}, stop);
    PositionScan scan =
        scan_position(reader, key, all, {.facts = false, .fine_sums = kMostSums}, stop);
    std::size_t sums = 0;
    for (const PositionScan::Group& each : scan.groups) sums += each.fine.size();
    if (!scan.fine_is_whole || sums > scan.total.games / kGamesOfSum) return {};
    const auto out = std::make_shared<FineSums>();
    for (PositionScan::Group& each : scan.groups) {
        out->groups.push_back({each.next, each.fine.take()});
    }
    for (const std::uint32_t game : scan.in_others) out->in_others.push_back(reader.facts(game));
    out->others = std::move(scan.others);
    if (out->bytes() > reader.snapshot_cache().capacity() / 2) return {};
    return {out};
}

}  // namespace

FineSum& FineSumsBuilder::sum_of(const codec::GameFacts& facts) {
    const auto [place, is_new] = sums_.try_emplace(key_of(facts));
    FineSum& sum = place->second;
    if (is_new) {
        const std::uint32_t date = facts.date.number();
        sum.dates = {date, date};
        if (const auto mean = mean_elo(facts)) sum.mean_elos = {*mean, *mean};
        sum.time_class = facts.time_class;
        sum.mode = facts.mode;
        sum.variant = facts.variant;
    }
    return sum;
}

void FineSumsBuilder::add(std::uint32_t game, const codec::GameFacts& facts) {
    FineSum& sum = sum_of(facts);
    widen(sum.dates, facts.date.number(), facts.date.number());
    if (const auto mean = mean_elo(facts)) widen(*sum.mean_elos, *mean, *mean);
    sum.tally.add_game(facts);
    sum.top.offer(game, codec::rank_by_rating(facts));
    sum.recent.offer(game, codec::rank_by_date(facts));
}

void FineSumsBuilder::add_occurrences(const codec::GameFacts& facts, std::uint64_t occurrences) {
    sum_of(facts).tally.occurrences += occurrences;
}

void FineSumsBuilder::add(const FineSumsBuilder& other) {
    for (const auto& [key, from] : other.sums_) {
        const auto [place, is_new] = sums_.try_emplace(key, from);
        if (is_new) continue;
        FineSum& sum = place->second;
        widen(sum.dates, from.dates.low, from.dates.high);
        if (from.mean_elos) widen(*sum.mean_elos, from.mean_elos->low, from.mean_elos->high);
        sum.tally.add(from.tally);
        for (const auto& each : from.top.entries()) sum.top.offer(each.game, each.rank);
        for (const auto& each : from.recent.entries()) sum.recent.offer(each.game, each.rank);
    }
}

std::vector<FineSum> FineSumsBuilder::take() {
    std::vector<std::uint64_t> keys;
    for (const auto& [key, sum] : sums_) keys.push_back(key);
    std::ranges::sort(keys);
    std::vector<FineSum> out;
    out.reserve(keys.size());
    for (const std::uint64_t key : keys) out.push_back(std::move(sums_.at(key)));
    sums_.clear();
    return out;
}

std::size_t FineSums::bytes() const {
    std::size_t bytes = sizeof *this + in_others.size() * sizeof(codec::GameFacts) +
                        others.size() * sizeof(Candidate);
    for (const Group& group : groups) {
        bytes += sizeof group + group.sums.size() * sizeof(FineSum);
        for (const FineSum& sum : group.sums) {
            bytes += (sum.top.entries().size() + sum.recent.entries().size()) *
                     sizeof(codec::NamedGames::Entry);
        }
    }
    return bytes;
}

bool is_for_fine_sums(const GameFilter& filter) {
    GameFilter rest = filter;
    rest.date = {};
    rest.mean_elo.reset();
    rest.time_classes.reset();
    rest.mode.reset();
    rest.modes.reset();
    rest.variant.reset();
    return rest == GameFilter{};
}

FineFit fit_of(const GameFilter& filter, const FineSum& sum) {
    if (!has_values(filter, sum)) return FineFit::kNone;
    const FineFit dates = fit_of_dates(filter, sum.dates);
    if (dates == FineFit::kNone) return dates;
    const FineFit means = fit_of_means(filter, sum.mean_elos);
    if (means == FineFit::kNone) return means;
    return dates == FineFit::kAll ? means : dates;
}

bool fits(const GameFilter& filter, const codec::GameFacts& facts) {
    const std::uint32_t date = facts.date.number();
    std::optional<NumberRange> means;
    if (const auto mean = mean_elo(facts)) means = {*mean, *mean};
    return has_values(filter, facts) && fit_of_dates(filter, {date, date}) == FineFit::kAll &&
           fit_of_means(filter, means) == FineFit::kAll;
}

bool add_fitting(const GameFilter& filter, const FineSums::Group& group,
                 std::vector<const FineSum*>& out) {
    const auto month_of = [](const FineSum& sum) {
        return codec::Date(sum.dates.low).month_number();
    };
    const auto first = std::ranges::lower_bound(
        group.sums, codec::Date(filter.date.low).month_number(), {}, month_of);
    const std::uint32_t last = codec::Date(filter.date.high).month_number();
    for (auto sum = first; sum != group.sums.end() && month_of(*sum) <= last; ++sum) {
        const FineFit fit = fit_of(filter, *sum);
        if (fit == FineFit::kSome) return false;
        if (fit == FineFit::kAll) out.push_back(&*sum);
    }
    return true;
}

std::shared_ptr<const FineSums> fine_sums_again(LocalReader& reader, std::uint64_t key,
                                                base::StopCheck& stop) {
    SnapshotCache& cache = reader.snapshot_cache();
    const std::string text = base::KeyText("fine sums").add(key).text();
    if (const auto known = cache.get<FineSumsOrNone>(text)) return known->sums;
    if (!cache.is_asked_again(text)) return nullptr;
    const auto made = std::make_shared<FineSumsOrNone>();
    if (reader.pieces(key)->games() >= kWorthWhile) *made = make_fine_sums(reader, key, stop);
    cache.put(text, made, text.size() + (made->sums ? made->sums->bytes() : 0));
    return made->sums;
}

}  // namespace fendex::store
