// Reading numbers from tag values, and values without a number.
#include "replay/tag_facts.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace fendex;
using namespace fendex::replay;

TEST_CASE("A rating that is not a number is unknown") {
    CHECK(elo_of("2851") == 2851);
    CHECK(elo_of("1") == 1);
    CHECK(elo_of("9999") == 9999);
    CHECK(elo_of("0") == 0);
    for (const char* text : {"", "?", "-", "2851?", "2851 ", " 2851", "+2851", "-2851", "10000",
                             "2851.5", "99999999999999999999", "unr", "0x10"}) {
        CAPTURE(text);
        CHECK(elo_of(text) == 0);
    }
}

TEST_CASE("A date is read as far as it is known") {
    CHECK(date_of("1851.06.21") == 18'510'621);
    CHECK(date_of("1998.??.??") == 19'980'000);
    CHECK(date_of("1998.05.??") == 19'980'500);
    CHECK(date_of("1998") == 19'980'000);
    CHECK(date_of("1998.05") == 19'980'500);
    CHECK(date_of("2014.3.1") == 20'140'301);
    CHECK(date_of("2014-03-01") == 20'140'301);
    CHECK(date_of("2014/03/01") == 20'140'301);
    CHECK(date_of("2014.13.01") == 20'140'000);
    CHECK(date_of("2014.01.32") == 20'140'000);
    for (const char* text : {"", "?", "????.??.??", "unknown", "20140301", "March 2014", "-1.2.3",
                             "99999999999.1.1", "31.12.1999", "1.2.2014", "99.12.31"}) {
        CAPTURE(text);
        CHECK(date_of(text) == 0);
    }
}
