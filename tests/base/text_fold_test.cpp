#include "base/text_fold.hpp"

#include <catch2/catch.hpp>

#include "base/edit_distance.hpp"

namespace {

using namespace fendex;

bool fit(const char* typed, const char* name) {
    return base::NameWords(base::fold(typed)).fit(base::fold(name));
}

}  // namespace

TEST_CASE("Typed words match a name in any order, each as a prefix of one of its words") {
    for (const char* const typed : {"carlsen", "Magnus Carlsen", "carlsen, magnus", "carlsen m",
                                    "m carlsen", "Carl", "mag carl", ""}) {
        CAPTURE(typed);
        CHECK(fit(typed, "Carlsen, Magnus"));
    }
    CHECK(fit("carlsen m", "Carlsen,M"));
    CHECK(fit("champ world", "World Championship Match"));
    // Every typed word must be in the name: an initial in the name does not match a longer word.
    CHECK_FALSE(fit("Magnus Carlsen", "Carlsen,M"));
    CHECK_FALSE(fit("Magnus Carlsen", "Carlsen"));
    CHECK_FALSE(fit("arlsen", "Carlsen, Magnus"));
    CHECK_FALSE(fit("carlsenmagnus", "Carlsen, Magnus"));
    CHECK_FALSE(fit("carlsen magnus henrik", "Carlsen, Magnus"));
}

TEST_CASE("No two typed words match the same word of a name") {
    CHECK_FALSE(fit("carlsen carl", "Carlsen, Magnus"));
    CHECK_FALSE(fit("m m", "Carlsen, Magnus"));
    CHECK_FALSE(fit("li l", "Li"));
    CHECK(fit("m m", "Muzychuk, Mariya"));
    CHECK(fit("li l", "Li, Lin"));
    CHECK(fit("l li", "Lin, L"));
    CHECK(fit("li lin", "Lin Li"));
    CHECK(fit("li lin", "Li Lin"));
}

TEST_CASE("edits_between() counts the edits that turn one word into another, up to a limit") {
    CHECK(base::edits_between("carlsen", "carlsen", 3) == 0);
    CHECK(base::edits_between("karlsen", "carlsen", 3) == 1);
    CHECK(base::edits_between("calrsen", "carlsen", 3) == 1);
    CHECK(base::edits_between("carlse", "carlsen", 3) == 1);
    CHECK(base::edits_between("kitten", "sitting", 3) == 3);
    CHECK(base::edits_between("kitten", "sitting", 2) == 3);
    CHECK(base::edits_between("", "abc", 5) == 3);
    CHECK(base::edits_between("abc", "uvwxyz", 2) == 3);
}
