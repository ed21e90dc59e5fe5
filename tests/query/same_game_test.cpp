#include "query/same_game.hpp"

#include <catch2/catch.hpp>

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
    CHECK(plies_needed(headers, MovesFit::kSame) == 60U);
    headers = {.white = NameFit::kOther};
    CHECK(plies_needed(headers, MovesFit::kSame) == 60U);
    headers.black = NameFit::kOther;
    CHECK_FALSE(plies_needed(headers, MovesFit::kSame));
}

TEST_CASE("certainty grows with the shared plies") {
    CHECK(certainty(20, 20) == 50);
    CHECK(certainty(30, 20) == 75);
    CHECK(certainty(40, 20) == 87);
    CHECK(certainty(400, 20) == 99);
}
