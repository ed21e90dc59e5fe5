// fendex events.
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

std::string game(const std::string& event, const std::string& site, const std::string& year) {
    return "[Event \"" + event + "\"]\n[Site \"" + site +
           "\"]\n[White \"Anand\"]\n[Black \"Topalov\"]\n[WhiteElo \"2800\"]\n[Date \"" + year +
           "\"]\n\n1. e4 *\n\n";
}

}  // namespace

TEST_CASE("events lists events, and games of one of them are asked for by its name after =") {
    const TemporaryDirectory directory;
    const std::string one = directory / "one.db";
    const std::string other = directory / "other.db";
    REQUIRE(run({"import", one, "-"}, game("Corus", "Wijk aan Zee", "2006.01.14") +
                                          game("Corus B", "Wijk aan Zee", "2007") +
                                          game("?", "https://lichess.org/abcdefgh", "2007"))
                .status == 0);
    REQUIRE(run({"import", other, "-"}, game("Corus", "Eindhoven", "2010")).status == 0);
    CHECK(run({"events", one, other, "--format", "csv"}).out ==
          "event,games,players,sites,average_rating,first_year,last_year\r\n"
          "Corus,2,2,2,2800,2006,2010\r\n"
          "Corus B,1,2,1,2800,2007,2007\r\n"
          "?,1,2,0,2800,2007,2007\r\n");
    CHECK(
        run({"events", one, "--format", "json", "--sort", "name", "--limit", "1", "--offset", "1"})
            .out == R"({"event":"Corus","games":1,"players":2,"sites":1,"average_rating":2800,)"
                    R"("first_year":2006,"last_year":2006})"
                    "\n");
    CHECK(json_lines(run({"games", one, "--event", "corus", "--format", "json"}).out).size() == 2);
    CHECK(json_lines(run({"games", one, "--event", "=Corus", "--format", "json"}).out).size() == 1);

    CHECK(run({"events", one, "--event", "linares"}).status == 1);
    const Outcome misspelt = run({"events", one, other, "--event", "coros"});
    CHECK_THAT(misspelt.err, Contains("similar names: 'Corus' (2 games)"));
    const Outcome word = run({"events", one, "corus"});
    CHECK(word.status == 2);
    CHECK_THAT(word.err, Contains("unexpected argument 'corus'"));
    CHECK_THAT(run({"games", one, "--event", "="}).err, Contains("no name after ="));
}
