#include "codec/fine_sums.hpp"

#include <algorithm>
#include <ranges>

#include "codec/rating_groups.hpp"

namespace fendex::codec {

namespace {

/// More groups or sums are damage; the games of a segment have fewer classes.
constexpr std::uint64_t kMostGroups = 512;
constexpr std::uint64_t kMostSums = 1 << 20;

std::uint64_t number_of(const FineClass& of) {
    std::uint64_t number = of.period;
    number = number << 4 | of.rating_group;
    number = number << 8 | static_cast<std::uint64_t>(of.time_class);
    number = number << 8 | static_cast<std::uint64_t>(of.mode);
    return number << 8 | static_cast<std::uint64_t>(of.variant);
}

void put_class(const FineClass& of, std::uint32_t& last_period, std::string& out) {
    put_varint(of.period - last_period, out);
    last_period = of.period;
    out += static_cast<char>(unsigned{of.rating_group} << 4 | static_cast<unsigned>(of.time_class));
    out +=
        static_cast<char>(static_cast<unsigned>(of.mode) << 4 | static_cast<unsigned>(of.variant));
}

FineClass get_class(ByteReader& in, std::uint32_t& last_period) {
    FineClass of;
    last_period += static_cast<std::uint32_t>(in.varint());
    of.period = last_period;
    const std::string_view bytes = in.bytes(2);
    if (in.failed()) return of;
    const auto first = static_cast<unsigned char>(bytes[0]);
    const auto second = static_cast<unsigned char>(bytes[1]);
    of.rating_group = first >> 4;
    of.time_class = static_cast<TimeClass>(first & 15);
    of.mode = static_cast<Mode>(second >> 4);
    of.variant = static_cast<chess::Variant>(second & 15);
    return of;
}

/// Dates follow the class's period, and few games of a class have an unknown result or rating.
void put_tally(const Tally& tally, std::uint32_t period, std::string& out) {
    put_varint(tally.games, out);
    for (std::size_t i = 1; i < tally.results.by_code.size(); ++i) {
        put_varint(tally.results.by_code[i], out);
    }
    put_varint(tally.white_elo_sum, out);
    put_varint(tally.games - tally.white_elo_games, out);
    put_varint(tally.black_elo_sum, out);
    put_varint(tally.games - tally.black_elo_games, out);
    const std::uint32_t first = tally.first_date.number();
    put_varint(first == 0 ? 0 : first - Date::of_month(period).number() + 1, out);
    put_varint(tally.last_date.number() - first, out);
}

Tally get_tally(ByteReader& in, std::uint32_t period) {
    Tally tally;
    tally.games = in.varint();
    std::uint64_t unknown = tally.games;
    for (std::size_t i = 1; i < tally.results.by_code.size(); ++i) {
        const std::uint64_t games = in.varint();
        if (games > unknown) in.fail();
        unknown -= games;
        tally.results.by_code[i] = games;
    }
    tally.results.by_code[0] = unknown;
    tally.white_elo_sum = in.varint();
    tally.white_elo_games = tally.games - in.varint();
    tally.black_elo_sum = in.varint();
    tally.black_elo_games = tally.games - in.varint();
    const auto first = static_cast<std::uint32_t>(in.varint());
    const std::uint32_t date = first == 0 ? 0 : Date::of_month(period).number() + first - 1;
    tally.first_date = date;
    tally.last_date = date + static_cast<std::uint32_t>(in.varint());
    return tally;
}

/// Ranks descend from `highest` on. How many games are named follows from how many there are.
void put_named(const NamedGames& named, std::uint64_t highest, std::string& out) {
    for (const NamedGames::Entry& each : named.entries()) {
        put_varint(highest - each.rank, out);
        highest = each.rank;
        put_varint(each.game, out);
    }
}

NamedGames get_named(ByteReader& in, std::uint64_t all, std::uint64_t highest,
                     std::uint64_t games) {
    NamedGames named;
    for (std::uint64_t n = std::min<std::uint64_t>(all, kNamedGames); n > 0 && !in.failed(); --n) {
        const std::uint64_t less = in.varint();
        const std::uint64_t game = in.varint();
        if (less > highest || game >= games) {
            in.fail();
        } else {
            named.offer(game, highest -= less);
        }
    }
    return named;
}

/// Higher than any sum of two ratings, which have 16 bits.
constexpr std::uint64_t kHighestRank = 1 << 17;

/// Calls put_rest(sum) after what all sums have.
template <typename PutRest>
void put_sums(const std::vector<FineSum>& sums, PutRest put_rest, std::string& out) {
    put_varint(sums.size(), out);
    std::uint32_t period = 0;
    for (const FineSum& sum : sums) {
        put_class(sum.of, period, out);
        put_tally(sum.tally, period, out);
        put_rest(sum);
    }
}

/// Calls get_rest(sum) after what all sums have.
template <typename GetRest>
std::vector<FineSum> get_sums(ByteReader& in, GetRest get_rest) {
    std::vector<FineSum> out;
    const std::uint64_t count = in.varint();
    if (count > kMostSums) in.fail();
    std::uint32_t period = 0;
    for (std::uint64_t n = 0; n < count && !in.failed(); ++n) {
        FineSum& sum = out.emplace_back();
        sum.of = get_class(in, period);
        sum.tally = get_tally(in, period);
        get_rest(sum);
    }
    return out;
}

}  // namespace

std::uint32_t fine_period(Date date, FinePeriod period) {
    return period == FinePeriod::kMonth ? date.month_number()
                                        : Date(date.year(), 0, 0).month_number();
}

FineClass fine_class(const GameFacts& facts, FinePeriod period) {
    FineClass of;
    of.period = fine_period(facts.date, period);
    if (facts.white_elo != 0 && facts.black_elo != 0) {
        const std::uint32_t mean = (std::uint32_t{facts.white_elo} + facts.black_elo) / 2;
        of.rating_group = static_cast<std::uint8_t>(rating_group_of(mean));
    }
    of.time_class = facts.time_class;
    of.mode = facts.mode;
    of.variant = facts.variant;
    return of;
}

FineSum& FineSumsBuilder::sum_of(const GameFacts& facts) {
    const FineClass of = fine_class(facts, period_);
    const auto [place, is_new] = sums_.try_emplace(number_of(of));
    FineSum& sum = place->second;
    if (is_new) {
        sum.of = of;
        sum.top = sum.recent = NamedGames(named_games_);
    }
    return sum;
}

void FineSumsBuilder::add(std::uint32_t game, const GameFacts& facts) {
    FineSum& sum = sum_of(facts);
    sum.tally.add_game(facts);
    sum.top.offer(game, rank_by_rating(facts));
    sum.recent.offer(game, rank_by_date(facts));
}

void FineSumsBuilder::add_occurrences(const GameFacts& facts, std::uint64_t occurrences) {
    sum_of(facts).tally.occurrences += occurrences;
}

void FineSumsBuilder::add(const FineSumsBuilder& other) {
    for (const auto& [number, from] : other.sums_) {
        const auto [place, is_new] = sums_.try_emplace(number, from);
        if (is_new) continue;
        FineSum& sum = place->second;
        sum.tally.add(from.tally);
        for (const auto& each : from.top.entries()) sum.top.offer(each.game, each.rank);
        for (const auto& each : from.recent.entries()) sum.recent.offer(each.game, each.rank);
    }
}

std::vector<FineSum> FineSumsBuilder::take() {
    std::vector<FineSum> out;
    out.reserve(sums_.size());
    for (auto& [number, sum] : sums_) out.push_back(std::move(sum));
    sums_.clear();
    std::ranges::sort(out, {}, &FineSum::of);
    return out;
}

std::size_t FineSums::size() const {
    std::size_t sums = again.size();
    for (const Group& group : groups) sums += group.sums.size();
    return sums;
}

std::size_t FineSums::bytes() const {
    std::size_t bytes = sizeof *this + size() * sizeof(FineSum);
    for (const Group& group : groups) {
        bytes += sizeof group;
        for (const FineSum& sum : group.sums) {
            bytes += (sum.top.entries().size() + sum.recent.entries().size()) *
                     sizeof(NamedGames::Entry);
        }
    }
    return bytes;
}

std::string encode_fine_sums(const FineSums& sums) {
    std::string out;
    put_varint(static_cast<std::uint64_t>(sums.period), out);
    put_varint(sums.groups.size(), out);
    for (const FineSums::Group& group : sums.groups) {
        put_varint(group.next.bits(), out);
        const auto put_rest = [&](const FineSum& sum) {
            put_varint(sum.tally.occurrences - sum.tally.games, out);
            put_named(sum.top, kHighestRank, out);
            put_named(sum.recent, sum.tally.last_date.number(), out);
        };
        put_sums(group.sums, put_rest, out);
    }
    put_sums(
        sums.again, [](const FineSum&) {}, out);
    return out;
}

std::optional<FineSums> decode_fine_sums(std::string_view bytes, std::uint64_t games) {
    ByteReader in(bytes);
    FineSums out;
    const std::uint64_t period_kind = in.varint();
    const std::uint64_t groups = in.varint();
    if (period_kind > static_cast<std::uint64_t>(FinePeriod::kYear) || groups > kMostGroups) {
        return std::nullopt;
    }
    out.period = static_cast<FinePeriod>(period_kind);
    for (std::uint64_t i = 0; i < groups && !in.failed(); ++i) {
        FineSums::Group& group = out.groups.emplace_back();
        group.next = chess::Move::from_bits(static_cast<std::uint16_t>(in.varint()));
        group.sums = get_sums(in, [&](FineSum& sum) {
            sum.tally.occurrences = sum.tally.games + in.varint();
            sum.top = get_named(in, sum.tally.games, kHighestRank, games);
            sum.recent = get_named(in, sum.tally.games, sum.tally.last_date.number(), games);
        });
    }
    out.again = get_sums(in, [](FineSum&) {});
    if (in.failed() || !in.done()) return std::nullopt;
    return out;
}

}  // namespace fendex::codec
