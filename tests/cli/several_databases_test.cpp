// Questions to several databases at once, and the database of the environment.
#include <catch2/catch.hpp>
#include <tuple>

#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

/// Two databases of small games, and one of all these games.
class Several {
  public:
    Several() {
        for (const auto& [name, first, last] :
             std::vector<std::tuple<std::string, unsigned, unsigned>>{
                 {"a", 1, 3}, {"b", 4, 5}, {"all", 1, 5}}) {
            std::string pgn;
            for (unsigned game = first; game <= last; ++game) {
                pgn += small_game(game, game % 2 == 0 ? "1. a3 a6 2. h3 h6 *" : "1. a3 h6 *");
            }
            directory_.write(name + ".pgn", pgn);
            REQUIRE(answer({"import", name + ".db", name + ".pgn"}).status == 0);
        }
    }

    Outcome answer(const Words& words, const std::string& default_database = "") const {
        ProcessOptions options;
        options.directory = directory_.path();
        if (!default_database.empty()) options.environment = {"FENDEX_DB=" + default_database};
        return run(words, options);
    }
    std::string path(const std::string& name) const { return directory_ / name; }
    std::string write(const std::string& name, const std::string& text) const {
        return directory_.write(name, text);
    }

  private:
    TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("$FENDEX_DB is the database of reading verbs that name none") {
    const Several several;
    const std::vector<Words> questions{{"find", kStart, "--count"},
                                       {"find", "--moves", "a3"},
                                       {"tree"},
                                       {"tree", "--moves", "a3"},
                                       {"repeats", "--min", "2"},
                                       {"games"},
                                       {"show", "1"},
                                       {"export"},
                                       {"sql", "SELECT count(*) FROM games"},
                                       {"errors"},
                                       {"duplicates"},
                                       {"info"},
                                       {"check"}};
    for (const Words& question : questions) {
        CAPTURE(question);
        Words named = question;
        named.insert(named.begin() + 1, "a.db");
        const Outcome expected = several.answer(named, "b.db");
        CHECK(expected.status != 2);
        const Outcome outcome = several.answer(question, "a.db");
        CHECK(outcome.status == expected.status);
        CHECK(outcome.out == expected.out);
        CHECK(several.answer(question).status == 2);
    }
    several.write("asked.fen", kStart + '\n');
    CHECK(several.answer({"find", "asked.fen", "--count"}, "a.db").status == 0);
    CHECK_THAT(several.answer({"find", "--help"}).out, Contains("$FENDEX_DB"));
}

TEST_CASE("$FENDEX_DB does not stand in for a misspelt or misplaced database, nor is it written") {
    const Several several;
    check_refused(several.answer({"games", "c.db"}, "a.db"), {"c.db"});
    several.write("text", "no database");
    check_refused(several.answer({"games", "text"}, "a.db"), {"text"});
    check_refused(several.answer({"find", kStart, "b.db"}, "a.db"), {"the database comes first"});
    check_refused(several.answer({"find", kStart}, "c.db"), {"c.db"});
    for (const char* const verb :
         {"import", "delete", "compact", "materialize", "repair", "upgrade", "backup"}) {
        CAPTURE(verb);
        CHECK(several.answer({verb}, "a.db").status == 2);
        CHECK_THAT(several.answer({verb, "--help"}).out, !Contains("FENDEX_DB"));
    }
}
