#include "clickhouse/fact_conditions.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "clickhouse/sql_text.hpp"
#include "codec/rating_groups.hpp"

namespace fendex::clickhouse {

namespace {

using store::GameFilter;
using store::NumberRange;

/// Returns the condition that a value is known and in a range. Values below `least` are unknown.
std::string known_range(const std::string& column, NumberRange range, std::uint32_t least) {
    return sql_range(column, std::max(range.low, least), range.high);
}

std::string variant_condition(chess::Variant asked) {
    std::vector<chess::Variant> accepted;
    for (unsigned i = 0; i < chess::kVariants; ++i) {
        const auto variant = static_cast<chess::Variant>(i);
        if (store::is_of_variant(variant, asked)) accepted.push_back(variant);
    }
    return sql_one_of("variant", accepted);
}

std::string mean_elo_condition(const std::vector<NumberRange>& ranges) {
    std::string any = "0";
    for (const NumberRange& each : ranges) {
        any += " OR " + sql_range("toUInt32(white_elo) + black_elo", std::uint64_t{2} * each.low,
                                  std::uint64_t{2} * each.high + 1);
    }
    return "white_elo != 0 AND black_elo != 0 AND (" + any + ")";
}

/// Adds the conditions on columns that table fine_sum has, too.
template <typename Add>
void add_kinds(const GameFilter& filter, Add add) {
    if (filter.time_classes) add(sql_one_of("time_class", *filter.time_classes));
    if (filter.variant) add(variant_condition(*filter.variant));
}

/// Returns whether all dates of a month, whatever its days, are in the range or outside of it.
bool has_whole_months(const NumberRange& dates) {
    return codec::Date(dates.low).day() == 0 && codec::Date(dates.high).day() >= 31;
}

/// Returns whether all ratings of a group are in the range or outside of it.
bool has_whole_groups(const NumberRange& ratings) {
    const auto begins_group = [](std::uint32_t rating) {
        return std::ranges::find(codec::kRatingGroups, rating) != codec::kRatingGroups.end();
    };
    // Ratings have 16 bits.
    return begins_group(ratings.low) &&
           (ratings.high >= std::numeric_limits<std::uint16_t>::max() ||
            begins_group(ratings.high + 1));
}

std::string month_condition(const NumberRange& dates) {
    return sql_range("month", std::max(codec::Date(dates.low), codec::kFirstYear).month_number(),
                     codec::Date(dates.high).month_number());
}

std::string rating_group_condition(const std::vector<NumberRange>& ranges) {
    std::string any = "0";
    for (const NumberRange& each : ranges) {
        any += " OR " + sql_range("rating_group", each.low, each.high);
    }
    return "rating_group != " + std::to_string(kUnknownRatingGroup) + " AND (" + any + ")";
}

}  // namespace

std::string fact_conditions(const GameFilter& filter) {
    std::string out;
    const auto add = [&](const std::string& condition) { out += " AND (" + condition + ")"; };
    if (filter.result) add(sql_one_of("result", std::vector{*filter.result}));
    add_kinds(filter, add);
    if (!filter.date.is_everything()) {
        add(known_range("date", filter.date, codec::kFirstYear.number()));
    }
    if (!filter.white_elo.is_everything()) add(known_range("white_elo", filter.white_elo, 1));
    if (!filter.black_elo.is_everything()) add(known_range("black_elo", filter.black_elo, 1));
    if (filter.mean_elo) add(mean_elo_condition(*filter.mean_elo));
    return out;
}

std::optional<std::string> fine_sum_condition(const GameFilter& filter) {
    // These sums are not apart by mode.
    if (!store::is_for_fine_sums(filter) || filter.mode || filter.modes) return std::nullopt;
    std::string out = "(1";
    const auto add = [&](const std::string& condition) { out += " AND (" + condition + ")"; };
    add_kinds(filter, add);
    if (!filter.date.is_everything()) {
        if (!has_whole_months(filter.date)) return std::nullopt;
        add(month_condition(filter.date));
    }
    if (filter.mean_elo) {
        if (!std::ranges::all_of(*filter.mean_elo, has_whole_groups)) return std::nullopt;
        add(rating_group_condition(*filter.mean_elo));
    }
    return out + ")";
}

}  // namespace fendex::clickhouse
