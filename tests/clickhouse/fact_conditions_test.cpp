#include "clickhouse/fact_conditions.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace fendex;
using clickhouse::fine_sum_condition;
using store::GameFilter;
using store::NumberRange;

/// Returns the condition of a filter with one condition.
template <typename Value>
std::optional<std::string> condition(Value GameFilter::*member, Value value) {
    GameFilter filter;
    filter.*member = std::move(value);
    return fine_sum_condition(filter);
}

std::optional<std::string> of_dates(NumberRange dates) {
    return condition(&GameFilter::date, dates);
}

std::optional<std::string> of_ratings(std::vector<NumberRange> ranges) {
    return condition(&GameFilter::mean_elo, std::optional(std::move(ranges)));
}

}  // namespace

TEST_CASE("Fine sums tell which games fit a filter that compares whole months and groups") {
    CHECK(fine_sum_condition({}) == "(1)");
    CHECK(of_dates({20040500, 20041199}) == "(1 AND (month BETWEEN 200405 AND 200411))");
    // Games without a year do not fit.
    CHECK(of_dates({.high = 20049999}) == "(1 AND (month BETWEEN 100 AND 200499))");
    CHECK(of_ratings({{1600, 1999}, {.low = 2500}}) ==
          "(1 AND (rating_group != 65535 AND (0 OR rating_group BETWEEN 1600 AND 1999 OR "
          "rating_group BETWEEN 2500 AND 4294967295)))");
    CHECK(of_ratings({}));
    GameFilter filter;
    filter.time_classes = std::vector{codec::TimeClass::kBlitz, codec::TimeClass::kRapid};
    filter.variant = chess::Variant::kStandard;
    CHECK(fine_sum_condition(filter) == "(1 AND (time_class IN (2,3)) AND (variant IN (0,1)))");
}

TEST_CASE("Fine sums do not tell which games fit any other filter") {
    CHECK_FALSE(of_dates({.low = 20040501}));
    CHECK_FALSE(of_dates({.low = 20040520}));
    CHECK_FALSE(of_dates({.high = 20040530}));
    CHECK_FALSE(of_ratings({{1600, 1999}, {2300, 2499}}));
    CHECK_FALSE(of_ratings({{1600, 2000}}));
    CHECK_FALSE(condition(&GameFilter::result, std::optional(codec::Result::kDraw)));
    CHECK_FALSE(condition(&GameFilter::white_elo, {.low = 1600}));
    CHECK_FALSE(condition(&GameFilter::plies, {.low = 20}));
    CHECK_FALSE(condition(&GameFilter::mode, std::optional(codec::Mode::kRated)));
    CHECK_FALSE(condition(&GameFilter::modes, std::optional(std::vector{codec::Mode::kRated})));
    CHECK_FALSE(condition(&GameFilter::player, std::string("a")));
}
