// Scid's spelling file: names, other spellings, rules, FIDE numbers, and what is refused.
#include "ingest/spelling_file.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "ingest/name_file.hpp"

using namespace fendex;
using ingest::NameFileError;
using ingest::SpellingFile;
using store::NameKind;

namespace {

/// As the file of Scid is written; "\xFC" is ü in Latin-1.
const std::string kText =
    "# Spelling corrections\n\n"
    "@PLAYER \"., -_*\"\r\n"
    "Karpov, Anatoly     #GM  RUS [2780]  1951.05.23\n"
    "   %Bio Title GM:1970\n"
    "   %Bio FIDEID 4100026\n"
    "   = Karpov, A E   # as in old files\n"
    "Li, Ang\n"
    "   %Bio FIDEID 7deprecated\n"
    "Smith, John1\n   %Bio FIDEID 8\n   = Smith, J\n"
    "Smith, John2\n   %Bio FIDEID 8\n   = Smith, J\n   = Karpov, Anatoly\n"
    "H\xFC"
    "bner, Robert\n= Huebner, R\n=\n"
    "@SITE \"., -_()\"\n"
    "%Suffix \"(Armenia)\" \"ARM\"\n"
    "Erevan ARM\n   = Yerevan ARM\n"
    "@EVENT \",. -_\"\n"
    "%Prefix \"II \" \"2. \"\n"
    "%Infix \" mem \" \" Memorial \"\n%Suffix \" mem\" \" Memorial\"\n"
    "Linares 2. Open\n= Linares II\n"
    "@ROUND \"\"\n1\n   = 01\n";

std::string right(const SpellingFile& file, const char* name, NameKind kind = NameKind::kPlayer) {
    const auto found = file.right(kind, name);
    return found ? found->name : "unknown";
}

}  // namespace

TEST_CASE("A spelling file knows names by their letters and by their words") {
    const SpellingFile file(kText);
    for (const char* const name : {"Karpov,AE", "Karpov A. E.", "Karpov, Anatoly", "karpov anatoly",
                                   "Anatoly Karpov", "Karpov_Anatoly"}) {
        CHECK(right(file, name) == "Karpov, Anatoly");
    }
    CHECK(right(file, "Li Ang") == "Li, Ang");
    CHECK(right(file, "Hubner, Robert") == "H\u00FCbner, Robert");
    CHECK(right(file, "HUEBNER,R.") == "H\u00FCbner, Robert");
    // Letters are compared as they are: "Karpov, Ae" and "Liang" are other names.
    for (const char* const name : {"Karpov,Ae", "Liang", "Karpov, A", "", "?", "1", "01"}) {
        CHECK(right(file, name) == "unknown");
    }
    // Another spelling of two players is none of them.
    CHECK(right(file, "Smith, J") == "unknown");
    CHECK(right(file, "Smith, John1") == "Smith, John1");
}

TEST_CASE("A spelling file replaces parts of events and sites") {
    const SpellingFile file(kText);
    CHECK(right(file, "Erevan (Armenia)", NameKind::kSite) == "Erevan ARM");
    CHECK(right(file, "Yerevan (Armenia)", NameKind::kSite) == "Erevan ARM");
    CHECK(right(file, "Gyumri (Armenia)", NameKind::kSite) == "Gyumri ARM");
    CHECK(right(file, "Gyumri", NameKind::kSite) == "unknown");
    CHECK(file.right(NameKind::kSite, "Erevan (Armenia)")->is_known);
    CHECK_FALSE(file.right(NameKind::kSite, "Gyumri (Armenia)")->is_known);
    CHECK(right(file, "II Linares", NameKind::kEvent) == "2. Linares");
    CHECK(right(file, "II Rubinstein mem A", NameKind::kEvent) == "2. Rubinstein Memorial A");
    CHECK(right(file, "Rubinstein mem", NameKind::kEvent) == "Rubinstein Memorial");
    CHECK(right(file, "Linares, II", NameKind::kEvent) == "Linares 2. Open");
    CHECK(right(file, "II Linares") == "unknown");
}

TEST_CASE("A spelling file knows players by their FIDE numbers") {
    const SpellingFile file(kText);
    CHECK(file.has_fide_numbers());
    CHECK(file.player_with(4100026) == "Karpov, Anatoly");
    CHECK(file.player_with(7) == "Li, Ang");
    CHECK(file.player_with(8).empty());
    CHECK(file.player_with(9).empty());
    CHECK(file.player_with(0).empty());
}

TEST_CASE("A spelling file is told from others, and read as far as it goes") {
    CHECK(ingest::is_spelling_file(kText));
    CHECK_FALSE(ingest::is_spelling_file("# a\nb,c\n@PLAYER\n"));
    CHECK_FALSE(ingest::is_spelling_file(""));
    CHECK_THROWS_AS(SpellingFile("@PLAYER\n\n= a\n"), NameFileError);
    CHECK_THROWS_WITH(SpellingFile("@PLAYER\n\n= a\n"), Catch::Matchers::Contains("line 3"));
    for (const char* const broken :
         {"@", "@PLAYER \"", "@PLAYER\n%", "@PLAYER\n%Bio", "@PLAYER\n%Bio FIDEID 1\n",
          "@SITE\n%Suffix \"a\"", "@SITE\n%Suffix \"a\" \"b", "@SITE\n%Other \"a\" \"b\"\n"}) {
        CHECK_FALSE(SpellingFile(broken).right(NameKind::kSite, "a"));
    }
    for (std::size_t size = 0; size <= kText.size(); ++size) {
        const SpellingFile file(kText.substr(0, size));
        CHECK(right(file, "Li, Ang") == (size < kText.find("Ang") + 3 ? "unknown" : "Li, Ang"));
    }
}
