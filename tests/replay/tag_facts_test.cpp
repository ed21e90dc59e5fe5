// Reading numbers from tag values, and values without a number.
#include "replay/tag_facts.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace fendex;
using namespace fendex::replay;
using codec::TimeClass;

TEST_CASE("A rating is a number, or not known") {
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
                             "99999999999.1.1"}) {
        CAPTURE(text);
        CHECK(date_of(text) == 0);
    }
}

TEST_CASE("A time control has a class") {
    CHECK(time_class_of("60+0") == TimeClass::kBullet);
    CHECK(time_class_of("60") == TimeClass::kBullet);
    CHECK(time_class_of("179+0") == TimeClass::kBullet);
    CHECK(time_class_of("180+0") == TimeClass::kBlitz);
    CHECK(time_class_of("60+3") == TimeClass::kBlitz);
    CHECK(time_class_of("300+4") == TimeClass::kBlitz);
    CHECK(time_class_of("300+5") == TimeClass::kRapid);
    CHECK(time_class_of("600+10") == TimeClass::kRapid);
    CHECK(time_class_of("1500+0") == TimeClass::kClassical);
    CHECK(time_class_of("5400+30") == TimeClass::kClassical);
    CHECK(time_class_of("40/7200:3600") == TimeClass::kClassical);
    CHECK(time_class_of("40/300") == TimeClass::kBlitz);
    CHECK(time_class_of("1/86400") == TimeClass::kCorrespondence);
    CHECK(time_class_of("1/259200") == TimeClass::kCorrespondence);
    for (const char* text : {"", "?", "-", "*60", "0", "0+0", "0/0", "0/60", "40/", "x", "300/x"}) {
        CAPTURE(text);
        CHECK(time_class_of(text) == TimeClass::kUnknown);
    }
    // Numbers that would overflow are not times.
    CHECK(time_class_of("99999999999999999999+1") == TimeClass::kUnknown);
    CHECK(time_class_of("4294967295+4294967295") == TimeClass::kClassical);
    CHECK(time_class_of("1/4294967295") == TimeClass::kCorrespondence);
}
