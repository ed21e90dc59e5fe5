#include "base/text_fold.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

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

TEST_CASE("edits_between() with a limit gives the same number up to it") {
    std::mt19937 random(11);
    const auto word = [&] {
        std::string out;
        for (auto left = random() % 8; left > 0; --left) out += "abcd9p"[random() % 6];
        return out;
    };
    for (int i = 0; i < 20'000; ++i) {
        const std::string a = word();
        const std::string b = word();
        CAPTURE(a, b);
        const std::size_t edits = base::edits_between(a, b, 100);
        for (const std::size_t most : {0U, 1U, 2U, 3U, 5U}) {
            REQUIRE(base::edits_between(a, b, most) == std::min(edits, most + 1));
        }
    }
}

TEST_CASE("fold() takes ASCII and other letters in any order") {
    CHECK(base::fold("  O'Kelly de Galway, A. ") == "o kelly de galway a");
    CHECK(base::fold("ÅSTRÖM") == "astrom");
    CHECK(base::fold("Muñoz-Søren 2") == "munoz soren 2");
    CHECK(base::fold("Straße—Æ") == "strasse ae");
    CHECK(base::fold("Э. Ласкер, Em") == "э ласкер em");
    CHECK(base::fold("a\xFF\xFE b") == "a\xFF\xFE b");
    CHECK(base::fold("") == "");
    CHECK(base::fold(" .,- ") == "");
}

TEST_CASE("fold() of two texts with a blank between them is that of each") {
    std::mt19937 random(7);
    // Pieces of letters too, so that many are wrong UTF-8.
    const std::vector<std::string> pieces{"a",    "Z", "9", " ", ",",       "\xC3\xA9", "\xC3",
                                          "\xA9", "Ø", "ß", "Ю", "e\u0301", "-",        "\xE2\x80"};
    const auto text = [&] {
        std::string out;
        for (auto left = random() % 12; left > 0; --left) out += pieces[random() % pieces.size()];
        return out;
    };
    for (int i = 0; i < 20'000; ++i) {
        const std::string first = text();
        const std::string second = text();
        const std::string folded[] = {base::fold(first), base::fold(second)};
        CAPTURE(first, second);
        const bool both = !folded[0].empty() && !folded[1].empty();
        REQUIRE(base::fold(first + " " + second) == folded[0] + (both ? " " : "") + folded[1]);
    }
}
