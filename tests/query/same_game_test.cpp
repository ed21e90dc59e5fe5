#include "query/same_game.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <random>
#include <utility>
#include <vector>

using namespace fendex::query;
using fendex::base::NameFit;
using fendex::codec::Date;

TEST_CASE("dates fit if they are near or partly unknown") {
    const auto fit = [](Date a, Date b) {
        CHECK(dates_fit(a, b) == dates_fit(b, a));
        return dates_fit(a, b);
    };
    CHECK(fit({1990, 5, 1}, {1990, 5, 1}) == DateFit::kSame);
    CHECK(fit({1990, 0, 0}, {1990, 0, 0}) == DateFit::kPart);
    CHECK(fit({1990, 5, 1}, {1990, 5, 0}) == DateFit::kPart);
    CHECK(fit({1990, 5, 1}, {1990, 0, 0}) == DateFit::kPart);
    CHECK(fit({1990, 5, 0}, {1990, 6, 0}) == DateFit::kOther);
    CHECK(fit({1990, 5, 1}, {1990, 5, 28}) == DateFit::kOther);
    CHECK(fit({1990, 12, 25}, {1991, 1, 8}) == DateFit::kNear);
    CHECK(fit({1990, 12, 25}, {1991, 1, 9}) == DateFit::kOther);
    CHECK(fit({1990, 4, 11}, {1990, 11, 4}) == DateFit::kNear);
    CHECK(fit({1990, 4, 11}, {1980, 4, 11}) == DateFit::kNear);
    CHECK(fit({1990, 4, 11}, {1981, 4, 11}) == DateFit::kOther);
    CHECK(fit({1990, 4, 11}, {}) == DateFit::kUnknown);
    CHECK(fit({1990, 2, 30}, {1990, 8, 30}) == DateFit::kNear);  // no such day, but one digit
}

TEST_CASE("events fit if half of their letters are in common words") {
    CHECK(texts_fit("Wijk aan Zee", "WIJK AAN ZEE") == TextFit::kSame);
    CHECK(texts_fit("Tata Steel 2015", "77th Tata Steel Masters") == TextFit::kNear);
    CHECK(texts_fit("ch-UZB 1st League 2014", "Linares 2014") == TextFit::kOther);
    CHECK(texts_fit("Tata 2014 2015", "Tata Steel") == TextFit::kNear);
    CHECK(texts_fit("2014", "2015") == TextFit::kOther);
    CHECK(texts_fit("?", "Linares") == TextFit::kUnknown);
}

TEST_CASE("the less the headers say, the longer games must be to be one") {
    HeaderFit headers;
    CHECK(plies_needed(headers, MovesFit::kSame) == 20U);
    CHECK(plies_needed(headers, MovesFit::kCutShort) == 26U);
    CHECK(plies_needed(headers, MovesFit::kOtherLastMove) == 30U);
    // A short draw that the same players played again the next week, and a year later.
    headers.drawn = true;
    headers.date = DateFit::kNear;
    headers.other_round = true;
    CHECK(plies_needed(headers, MovesFit::kSame) == 48U);
    headers.date = DateFit::kOther;
    headers.event = TextFit::kOther;
    CHECK(plies_needed(headers, MovesFit::kSame) == 108U);
    // Nothing is known.
    headers = {.white = NameFit::kUnknown,
               .black = NameFit::kUnknown,
               .date = DateFit::kUnknown,
               .event = TextFit::kUnknown};
    CHECK(plies_needed(headers, MovesFit::kSame) == 42U);
    headers.drawn = true;
    CHECK(plies_needed(headers, MovesFit::kSame) == 60U);
    headers = {.white = NameFit::kOther};
    CHECK(plies_needed(headers, MovesFit::kSame) == 60U);
    headers.black = NameFit::kOther;
    CHECK_FALSE(plies_needed(headers, MovesFit::kSame));
}

TEST_CASE("headers that fit less never make fewer plies enough") {
    const std::vector names{NameFit::kSame, NameFit::kNear, NameFit::kUnknown, NameFit::kOther};
    // A near date is not in this order: it contradicts, which an unknown one does not.
    const std::vector dates{DateFit::kSame, DateFit::kPart, DateFit::kUnknown, DateFit::kOther};
    const std::vector events{TextFit::kSame, TextFit::kNear, TextFit::kUnknown, TextFit::kOther};
    const std::vector ends{MovesFit::kSame, MovesFit::kCutShort, MovesFit::kOtherLastMove};
    struct Fit {
        HeaderFit headers;
        MovesFit end = MovesFit::kSame;
    };
    const auto needed = [](const Fit& fit) {
        return plies_needed(fit.headers, fit.end)
            .value_or(std::numeric_limits<std::uint32_t>::max());
    };
    // Replaces a value by the next one; returns false if there is none.
    const auto next = [](auto& value, const auto& order) {
        const auto found = std::ranges::find(order, value);
        if (found == order.end() || found + 1 == order.end()) return false;
        value = *(found + 1);
        return true;
    };
    const std::vector<bool> flags{false, true};
    const std::vector<std::function<bool(Fit&)>> worsenings{
        [&](Fit& fit) { return next(fit.headers.white, names); },
        [&](Fit& fit) { return next(fit.headers.black, names); },
        [&](Fit& fit) { return next(fit.headers.date, dates); },
        [&](Fit& fit) { return next(fit.headers.other_address, flags); },
        [&](Fit& fit) { return next(fit.headers.other_result, flags); },
        [&](Fit& fit) { return next(fit.headers.other_round, flags); },
        [&](Fit& fit) { return next(fit.headers.drawn, flags); },
        // Another round contradicts only if it is of the same event.
        [&](Fit& fit) { return !fit.headers.other_round && next(fit.headers.event, events); },
        [&](Fit& fit) { return next(fit.end, ends); },
    };
    std::mt19937 random(1);
    for (int i = 0; i < 20'000; ++i) {
        Fit fit;
        for (int step = 0; step < 6; ++step) {
            Fit worse = fit;
            if (!worsenings[random() % worsenings.size()](worse)) continue;
            if (needed(worse) < needed(fit)) FAIL("step " << step << " of walk " << i);
            fit = worse;
        }
        std::swap(fit.headers.white, fit.headers.black);
        const std::uint32_t swapped = needed(fit);
        std::swap(fit.headers.white, fit.headers.black);
        if (swapped != needed(fit)) FAIL("walk " << i << " with exchanged players");
    }
}

TEST_CASE("certainty grows with the shared plies") {
    CHECK(certainty(20, 20) == 50);
    CHECK(certainty(30, 20) == 75);
    CHECK(certainty(40, 20) == 87);
    CHECK(certainty(400, 20) == 99);
}
