#include "base/key_text.hpp"

#include <catch2/catch.hpp>
#include <set>

using fendex::base::KeyText;

TEST_CASE("Different lists of parts have different keys, even if their concatenations are equal") {
    const std::set<std::string> keys{
        KeyText("a").text(),
        KeyText("a").add("").text(),
        KeyText("ab").text(),
        KeyText("a").add("b").text(),
        KeyText("a").add("b").add("c").text(),
        KeyText("a").add("bc").text(),
        KeyText("a").add("1:b").text(),
        KeyText("a").add(std::uint64_t{1}).text(),
        KeyText("a").add(std::uint64_t{1}).add(std::uint64_t{1}).text(),
        KeyText("a").add(std::uint64_t{11}).text(),
    };
    CHECK(keys.size() == 10);
    CHECK(KeyText("a").add("b").text() == KeyText("a").add("b").text());
}
