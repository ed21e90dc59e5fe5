// --language and --figurine: reading by import, and writing by show and export.
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

const std::string kPortuguese =
    "[Event \"x\"]\n\n1. e2e4 c7c5 2. Cg1f3 Cc6 3. Bb5 Db6 4. 0-0 Cd4 5. Txe8 *\n\n"
    "[Event \"y\"]\n\n1. e4 d5 2. e:d5 D:d5 3. Cc3 Dd8 4. Bc4 c5 5. bc5 *\n";

std::string imported(const TemporaryDirectory& directory, const Words& options = {}) {
    const std::string database = directory / "games.db";
    Words words{"import", database, directory.write("games.pgn", kPortuguese)};
    words.insert(words.end(), options.begin(), options.end());
    REQUIRE(run(words).status == 0);
    return database;
}

}  // namespace

TEST_CASE("games in Portuguese are read by default and by the code of the language") {
    for (const Words& options : {Words{}, Words{"--language", "pt"}, Words{"--language", "en,pt"},
                                 Words{"--language", "auto"}}) {
        const TemporaryDirectory directory;
        const std::string database = imported(directory, options);
        CHECK_THAT(run({"show", database, "1", "--format", "pgn"}).out,
                   Contains("1. e4 c5 2. Nf3 Nc6 3. Bb5 Qb6 4. O-O Nd4 *"));
        CHECK_THAT(run({"show", database, "2", "--format", "pgn"}).out,
                   Contains("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qd8 4. Bc4 c5 *"));
        const auto errors = json_lines(run({"errors", database, "--format", "json"}).out);
        REQUIRE(errors.size() == 2);
        CHECK(errors[0]["text"] == "Txe8");
        CHECK(errors[1]["text"] == "bc5");
    }
}

TEST_CASE("show and export write moves in a language, or with figurines") {
    const TemporaryDirectory directory;
    const std::string database = imported(directory);
    const auto shown = [&](Words words) {
        words.insert(words.begin() + 1, database);
        const Outcome outcome = run(words);
        CHECK(outcome.status == 0);
        return outcome.out;
    };
    const std::string german = "1. e4 c5 2. Sf3 Sc6 3. Lb5 Db6 4. O-O Sd4";
    const std::string figurines = "1. e4 c5 2. ♘f3 ♘c6 3. ♗b5 ♕b6 4. O-O ♘d4";
    CHECK_THAT(shown({"show", "1", "--language", "de"}), Contains(german));
    CHECK_THAT(shown({"export", "--language", "de"}), Contains(german));
    CHECK_THAT(shown({"show", "1", "--figurine"}), Contains(figurines));
    CHECK_THAT(shown({"export", "--figurine"}), Contains(figurines));
    CHECK_THAT(shown({"show", "1", "--plies", "--format", "csv", "--language", "ru"}),
               Contains("\n3,Кf3,g1f3,"));
    CHECK_THAT(shown({"export", "--format", "csv", "--rows", "plies", "--figurine"}),
               Contains("\n1,3,♘f3,g1f3,"));
    CHECK_THAT(shown({"show", "1", "--board", "--ply", "3", "--language", "fr"}),
               Contains("ply 3: Cf3\n"));
    CHECK(shown({"show", "1", "--language", "en"}) == shown({"show", "1"}));
}

TEST_CASE("moves for a position may be in any language") {
    const TemporaryDirectory directory;
    const std::string database = imported(directory);
    const std::string expected =
        run({"find", database, "--moves", "1. e4 c5 2. Nf3", "--format", "csv"}).out;
    for (const char* moves : {"1. e2e4 c7c5 2. Cg1f3", "1. e4 c5 2. Sf3",
                              "1. e2-e4 c7-c5 2. Sg1-f3", "1. e4 c5 2. ♘f3", "1.e4 c5 2.Кf3"}) {
        const Outcome outcome = run({"find", database, "--moves", moves, "--format", "csv"});
        CAPTURE(moves, outcome.err);
        CHECK(outcome.out == expected);
    }
    check_refused(run({"find", database, "--moves", "1. e4 c5 2. Sf4"}), {"--moves", "'Sf4'"});
}

TEST_CASE("unknown languages and contradictory options are refused") {
    const TemporaryDirectory directory;
    const std::string database = imported(directory);
    for (const char* list : {"xx", "de,xx", "", "de,", "DE", "auto,de"}) {
        CAPTURE(list);
        check_refused(run({"import", database, kSamples, "--language", list}),
                      {"--language", "en pt fr"});
    }
    check_refused(run({"show", database, "1", "--language", "xx"}), {"'xx'", "en pt fr"});
    check_refused(run({"export", database, "--language", "xx"}), {"'xx'", "en pt fr"});
    check_refused(run({"show", database, "1", "--language", "de", "--figurine"}), {"--figurine"});
    check_refused(run({"export", database, "--format", "epd", "--figurine"}), {"--figurine"});
    check_refused(run({"export", database, "--format", "json", "--language", "de"}),
                  {"--language", "--rows plies"});
}
