// CSV files of names, and what is refused of them.
#include "ingest/name_file.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

using namespace fendex;
using ingest::NamedJoin;
using ingest::NameFileError;
using ingest::read_name_file;
using store::NameKind;

namespace {

std::vector<NamedJoin> joins_of(std::string_view text) {
    return read_name_file(text, NameKind::kPlayer);
}
NamedJoin player(std::string name, std::string canonical) {
    return {NameKind::kPlayer, std::move(name), std::move(canonical)};
}

}  // namespace

TEST_CASE("A CSV file joins names") {
    const std::vector<NamedJoin> two{player("Karpov,An", "Karpov, Anatoly"),
                                     player("Karpov \"A\"", "Karpov, Anatoly")};
    CHECK(joins_of("\"Karpov,An\",\"Karpov, Anatoly\"\n"
                   "\"Karpov \"\"A\"\"\",\"Karpov, Anatoly\"\n") == two);
    CHECK(joins_of("\xEF\xBB\xBF"
                   "canonical,name\r\n\"Karpov, Anatoly\",\"Karpov,An\"\r\n\r\n"
                   "\"Karpov, Anatoly\",\"Karpov \"\"A\"\"\"") == two);
    CHECK(joins_of("kind,name,canonical,joined,origin\nevent,a,b,x,y\nsite,a,c,x,y\n") ==
          std::vector<NamedJoin>{{NameKind::kEvent, "a", "b"}, {NameKind::kSite, "a", "c"}});
    // As a list in CSV guards formulas; and Latin-1.
    CHECK(joins_of("'=1+2,M\xFCller\n") == std::vector{player("=1+2", "M\u00FCller")});
    // Texts that a spreadsheet takes for formulas are texts.
    CHECK(joins_of("=cmd|' /C calc'!A0,@SUM(1)\n+a,-b\n") ==
          std::vector{player("=cmd|' /C calc'!A0", "@SUM(1)"), player("+a", "-b")});
    CHECK(joins_of("").empty());
    CHECK(joins_of("a,a\na,b\na,b\n") == std::vector{player("a", "b")});
}

TEST_CASE("Names are joined to the end of a chain, and circles are refused") {
    CHECK(joins_of("a,b\nc,a\nb,d\n") ==
          std::vector{player("a", "d"), player("c", "d"), player("b", "d")});
    CHECK_THROWS_AS(joins_of("a,b\nb,a\n"), NameFileError);
    CHECK_THROWS_WITH(joins_of("x,a\na,b\nb,c\nc,a\n"), "lines 2, 3, 4: 'a' is joined to itself");
    CHECK_THROWS_WITH(joins_of("a,b\n\na,c\n"),
                      "line 3: 'a' is joined to 'b' in line 1, not to 'c'");
}

TEST_CASE("A CSV file that is wrong is refused with its line") {
    using Catch::Matchers::Contains;
    CHECK_THROWS_WITH(joins_of("a,b\nc\n"), Contains("line 2"));
    CHECK_THROWS_WITH(joins_of("a,b\nc,\n"), Contains("line 2"));
    CHECK_THROWS_WITH(joins_of("\"a\nb\",c\n\"d\n"), Contains("line 3"));
    CHECK_THROWS_WITH(joins_of("\"a\"b,c\n"), Contains("line 1"));
    CHECK_THROWS_WITH(joins_of("kind,name,canonical\nround,a,b\n"), Contains("round"));
    CHECK_THROWS_WITH(joins_of("alias2,canonical\n"), Contains("name"));
}

TEST_CASE("A million lines are read", "[full]") {
    std::string text;
    const unsigned names = test::fewer(test::at_size(200'000U, 1'000'000U), 10);
    for (unsigned i = 0; i < names; ++i) {
        text += "name " + std::to_string(i) + ",name " + std::to_string(i - i % 100) + "\n";
    }
    CHECK(joins_of(text).size() == names - names / 100);
    text.clear();
    const unsigned steps = names / 10;
    for (unsigned i = 0; i < steps; ++i) {
        text += "name " + std::to_string(i) + ",name " + std::to_string(i + 1) + "\n";
    }
    const std::vector<NamedJoin> chain = joins_of(text);
    const std::string last = "name " + std::to_string(steps);
    CHECK(chain.front() == player("name 0", last));
    CHECK(chain.back() == player("name " + std::to_string(steps - 1), last));
}
