// Files of names: CSV and Scid's spelling file, and what is refused of them.
#include "ingest/name_file.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

using namespace fendex;
using ingest::NamedJoin;
using ingest::NameFileError;
using ingest::read_name_file;
using store::NameKind;

namespace {

std::vector<NamedJoin> joins_of(std::string_view text) {
    return read_name_file(text, NameKind::kPlayer).joins;
}
NamedJoin player(const char* name, const char* canonical) {
    return {NameKind::kPlayer, name, canonical};
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
    CHECK(joins_of("").empty());
    CHECK(joins_of("a,a\na,b\na,b\n") == std::vector{player("a", "b")});
}

TEST_CASE("Names are joined to the end of a chain, and circles are refused") {
    CHECK(joins_of("a,b\nc,a\nb,d\n") ==
          std::vector{player("a", "d"), player("c", "d"), player("b", "d")});
    CHECK_THROWS_AS(joins_of("a,b\nb,a\n"), NameFileError);
    CHECK_THROWS_AS(joins_of("a,b\nb,c\nc,a\nd,a\n"), NameFileError);
    CHECK_THROWS_WITH(joins_of("a,b\n\na,c\n"), Catch::Matchers::Contains("line 3"));
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

TEST_CASE("Scid's spelling file joins players, events and sites") {
    const std::string text =
        "# Scid spelling corrections file\n\n@PLAYER \"., -_*\"\r\n"
        "%Prefix \"A\" \"B\"\n"
        "Karpov, Anatoly     #gm  RUS [2780]  1951.05.23\n"
        "%Bio World champion\n"
        "= Karpov,An\n=Karpov A   # as in old files\n"
        "H\xFC"
        "bner, Robert\n= Huebner, R\n=\n"
        "@EVENT\t\",. -_\"\nLinares\n   = Linares (Spain)\n"
        "@ROUND\n1\n=01\n"
        "@SITE\nMoscow\n=Moskva\n";
    const ingest::NameFile file = read_name_file(text, NameKind::kPlayer);
    CHECK(file.joins == std::vector<NamedJoin>{player("Karpov,An", "Karpov, Anatoly"),
                                               player("Karpov A", "Karpov, Anatoly"),
                                               player("Huebner, R",
                                                      "H\u00FC"
                                                      "bner, Robert"),
                                               {NameKind::kEvent, "Linares (Spain)", "Linares"},
                                               {NameKind::kSite, "Moskva", "Moscow"}});
    CHECK(file.ignored == 4);
    CHECK_THROWS_AS(joins_of("@PLAYER\n=a\n"), NameFileError);
    // Cut short anywhere, it is read as far as it goes, or refused.
    for (std::size_t size = 0; size <= text.size(); ++size) {
        try {
            const std::size_t joins = joins_of(text.substr(0, size)).size();
            CHECK(joins <= file.joins.size());
        } catch (const NameFileError&) {
        }
    }
}

TEST_CASE("A million lines are read") {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i) {
        text += "name " + std::to_string(i) + ",name " + std::to_string(i - i % 100) + "\n";
    }
    CHECK(joins_of(text).size() == 990'000);
    text.clear();
    for (int i = 0; i < 100'000; ++i) {
        text += "name " + std::to_string(i) + ",name " + std::to_string(i + 1) + "\n";
    }
    const std::vector<NamedJoin> chain = joins_of(text);
    CHECK(chain.front() == player("name 0", "name 100000"));
    CHECK(chain.back() == player("name 99999", "name 100000"));
}
