// Names of variants: the spellings of servers and programs are read, and written names read back.
#include "chess/variant_names.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

namespace {

using namespace fendex::chess;

void check_all(Variant variant, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        CAPTURE(name);
        CHECK(variant_of(name) == variant);
    }
}

}  // namespace

TEST_CASE("Variants are recognised by every name in use") {
    check_all(Variant::kStandard, {"", "Standard", "standard", "normal", "Chess", "From Position",
                                   "FROM_POSITION", "regular", "Standard chess", "?"});
    check_all(Variant::kChess960,
              {"Chess960", "chess 960", "Chess-960", "fischerandom", "Fischerrandom",
               "FischerRandom", "FRC", "freestyle", "Double Fischer Random", "wild/fr", "wild/22"});
    check_all(Variant::kCrazyhouse,
              {"Crazyhouse", "crazyhouse", "zh", "wild/23", "w23", "Crazyhouse960"});
    check_all(Variant::kThreeCheck, {"Three-check", "3 Check", "3check", "3Check", "Three Check",
                                     "threeCheck", "wild/25", "ThreeCheck"});
    check_all(Variant::kKingOfTheHill,
              {"King of the Hill", "kingofthehill", "kingOfTheHill", "KOTH"});
    check_all(Variant::kAtomic, {"Atomic", "atomic", "wild/27", "w27", "Atomic 960"});
    check_all(Variant::kAntichess, {"Antichess", "antichess", "giveaway", "Giveaway", "wild/26"});
    check_all(Variant::kSuicide, {"suicide", "Suicide", "Antichess/Suicide"});
    check_all(Variant::kLosers, {"losers", "Losers", "wild/17", "w17"});
    check_all(Variant::kHorde, {"Horde", "horde"});
    check_all(Variant::kRacingKings, {"Racing Kings", "racingkings", "racingKings"});
    check_all(Variant::kOther,
              {"\xE8\xB1\xA1\xE6\xA3\x8B", "\xD0\xA8\xD0\xB2\xD0\xB5\xD0\xB4\xD0\xBA\xD0\xB8",
               "\xC3\xA9", "xiangqi", "chess961", "M\xC3\xBCller", "Seirawan", "Seirawan960",
               "bughouse", "wild/16", "wild/24", "wild/28", "standard960", "chess960960", "other"});
}

TEST_CASE("The name of every variant reads as that variant, and no two are alike") {
    std::set<std::string_view> names{name_of(Variant::kOther)};
    for (const Variant variant : known_variants()) {
        CHECK(variant_of(name_of(variant)) == variant);
        CHECK(names.insert(name_of(variant)).second);
        CHECK(has_standard_rules(variant) != has_variant_rules(variant));
    }
    CHECK(names.size() == kVariants);
}
