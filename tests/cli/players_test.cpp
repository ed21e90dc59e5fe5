// fendex openings, players and prepare.
#include "cli/fixture.hpp"
#include "cli/output/rating_chart.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;
using fendex::cli::MonthRating;
using fendex::cli::rating_chart;

std::string game(const std::string& white, const std::string& black, const std::string& date,
                 const std::string& result, const std::string& moves,
                 const std::string& tags = "") {
    return "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Date \"" + date +
           "\"]\n[Result \"" + result + "\"]\n" + tags + "\n" + moves + " " + result + "\n\n";
}

const std::string kRated = "[WhiteElo \"2700\"]\n[BlackElo \"2650\"]\n";
const std::string kGames =
    game("Carlsen, Magnus", "Aronian, Levon", "2010.03.01", "1-0", "1. e4 e5 2. Nf3 Nc6 3. Bb5",
         kRated) +
    game("Aronian, Levon", "Carlsen, Magnus", "2011.??.??", "1/2-1/2", "1. d4 Nf6 2. c4 e6",
         kRated) +
    game("Carlsen, Magnus", "<Anand> & \"V\"", "2012.05.01", "0-1", "1. Nf3 Nc6 2. e4 e5 3. Bb5",
         "[WhiteElo \"2835\"]\n") +
    game("Carlsen,M", "Aronian, Levon", "????.??.??", "*", "1. h4 h5 2. a4") +
    game("A", "B", "1999.01.01", "1-0", "", "[Variant \"Crazyhouse\"]\n");

class Players {
  public:
    Players() { REQUIRE(run({"import", db_, "-"}, kGames).status == 0); }

    Outcome operator()(Words words) const {
        words.insert(words.begin() + 1, db_);
        return run(words);
    }
    std::vector<Json> json(Words words) const {
        words.insert(words.end(), {"--format", "json"});
        return json_lines((*this)(std::move(words)).out);
    }
    std::string file(const std::string& name) const { return directory_ / name; }

  private:
    const TemporaryDirectory directory_;
    const std::string db_ = directory_ / "a.db";
};

}  // namespace

TEST_CASE("openings are found by the moves, in any order, with results and years") {
    const Players ask;
    const auto rows = ask.json({"openings"});
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].dump() ==
          R"({"eco":"C60","opening":"Ruy Lopez","games":2,"white":1,"draws":0,"black":1,)"
          R"("score":50,"average_rating":2728,"first_year":2010,"last_year":2012})");
    const auto by_code = ask.json({"openings", "--sort", "eco", "--player", "carlsen"});
    REQUIRE(by_code.size() == 3);
    CHECK(by_code[0]["eco"] == "A00");
    CHECK(by_code[0]["score"].is_null());
    CHECK(by_code[0]["first_year"].is_null());
    // The game of Crazyhouse has none.
    CHECK(ask.json({"openings", "--variant", "crazyhouse"}).at(0)["eco"].is_null());
    CHECK(ask.json({"games", "--opening", "lopez ruy"}).size() == 2);
    CHECK(ask.json({"games", "--opening-eco", "C60-C99"}).size() == 2);
    CHECK(ask({"games", "--opening", "najdorf"}).status == 1);
    CHECK_THAT(ask({"openings", "--limit", "1"}).out, Contains("... and 3 more openings"));
    CHECK(ask({"openings", "--player", "nobody"}).status == 1);
}

TEST_CASE("players lists all, one, or several that match") {
    const Players ask;
    const auto all = ask.json({"players"});
    REQUIRE(all.size() == 6);
    CHECK(all[0].dump() ==
          R"({"name":"Aronian, Levon","games":3,"white":1,"black":2,"first_year":2010,)"
          R"("last_year":2011})");
    CHECK(ask.json({"players", "--since", "2012"}).size() == 2);

    const Outcome several = ask({"players", "carlsen"});
    CHECK(several.status == 0);
    CHECK_THAT(several.out, Contains("Carlsen, Magnus") && Contains("Carlsen,M"));
    CHECK_THAT(several.err, Contains("--together"));

    const Json one = ask.json({"players", "carlsen, magnus"}).at(0);
    CHECK(one["names"].dump() == R"([{"name":"Carlsen, Magnus","games":3}])");
    CHECK(one["alike"].dump() == R"([{"name":"Carlsen,M","games":1}])");
    CHECK(one["against"].is_null());
    CHECK(one["white"].dump() == R"({"games":2,"wins":1,"draws":0,"losses":1,"score":50})");
    CHECK(one["black"]["draws"] == 1);
    CHECK(one["years"].size() == 3);
    CHECK(one["opponents"].at(0)["from"].is_null());
    CHECK(one["opponents"].at(1)["from"] == 2600);
    CHECK(one["ratings"].dump() ==
          R"([{"month":"2010-03","rating":2700,"games":1},{"month":"2012-05","rating":2835,)"
          R"("games":1}])");
    CHECK(one["openings"].at(0)["name"] == "Ruy Lopez");
    const Json together = ask.json({"players", "carlsen", "--together"}).at(0);
    CHECK(together["names"].size() == 2);
    CHECK(together["white"]["games"] == 3);

    const Outcome report = ask({"players", "Carlsen, Magnus"});
    const std::string& text = report.out;
    CHECK_THAT(text, Contains("Carlsen, Magnus: 3 games, 2010-2012\n\n"));
    CHECK_THAT(report.err, Contains("not counted: 'Carlsen,M' (1 game)"));
    CHECK_THAT(text, Contains("2010  ") && Contains("rating\n2850 ") && Contains("as Black"));
    CHECK(ask({"players", "nobody"}).status == 1);
    CHECK(ask({"players", "one", "two"}).status == 2);
    CHECK(ask({"players", "Carlsen, Magnus", "--format", "csv"}).status == 2);
}

TEST_CASE("Each verb that takes a player says which other spellings it leaves out") {
    const Players ask;
    const std::string hint =
        "fendex: not counted: 'Carlsen,M' (1 game); if this is one player: fendex names " +
        ask.file("a.db") + " --join 'Carlsen, Magnus' 'Carlsen,M'\n";
    for (Words words : {Words{"games"},
                        {"tree"},
                        {"find", "--moves", "1.e4"},
                        {"openings"},
                        {"repeats"},
                        {"repeats", "--summary"},
                        {"players"},
                        {"export"},
                        {"find", "--pattern", "8/8/8/8/8/8/8/*"}}) {
        CAPTURE(words);
        words.insert(words.end(), {"--player", "carlsen magnus"});
        CHECK_THAT(ask(words).err, Contains(hint));
        words.emplace_back("--quiet");
        CHECK(ask(words).err.empty());
    }
    for (const char* const format : {"table", "json"}) {
        const Words report{"players", "Carlsen, Magnus", "--format", format};
        CHECK_THAT(ask(report).err, Contains(hint));
        CHECK_THAT(ask({"prepare", "Carlsen, Magnus", "--color", "white", "--format", format}).err,
                   Contains(hint));
    }
    // The fullest name is to stand for the others.
    CHECK_THAT(ask({"players", "Carlsen,M"}).err,
               Contains("not counted: 'Carlsen, Magnus' (3 games)") &&
                   Contains(" --join 'Carlsen, Magnus' 'Carlsen,M'\n"));
    CHECK(ask({"games", "--player", "carlsen"}).err.empty());
    CHECK(ask.json({"tree", "--player", "carlsen magnus"}).at(0)["alike"].dump() ==
          R"([{"name":"Carlsen,M","games":1,"of":"Carlsen, Magnus"}])");
    CHECK_FALSE(ask.json({"tree", "--player", "carlsen"}).at(0).contains("alike"));
    REQUIRE(ask({"names", "--join", "Carlsen, Magnus", "Carlsen,M"}).status == 0);
    CHECK(ask({"games", "--player", "carlsen magnus"}).err.empty());
    CHECK_THAT(ask({"players", "Carlsen,M"}).out,
               Contains("4 games, 2010-2012\nalso: Carlsen,M\n"));
}

TEST_CASE("players: two players give their score against each other") {
    const Players ask;
    const Json match = ask.json({"players", "Carlsen, Magnus", "--against", "aronian"}).at(0);
    CHECK(match["against"] == "aronian");
    CHECK(match["white"]["wins"] == 1);
    CHECK(match["black"]["draws"] == 1);
    CHECK(match["years"].size() == 2);
    const Words both{"--player", "carlsen", "--player", "aronian"};
    CHECK(ask.json({"games", both[0], both[1], both[2], both[3]}).size() == 3);
    CHECK(ask({"games", both[0], both[1], both[2], both[3], "--player", "x"}).status == 2);
    CHECK(ask({"players", "--against", "aronian"}).status == 2);
    CHECK(ask({"players", "carlsen", "--against", "a", "--player", "b"}).status == 2);
    CHECK(ask({"players", "carlsen", "--against", "nobody"}).status == 1);
}

TEST_CASE("players of several databases are added up by name") {
    const Players ask;
    const TemporaryFile other("b.db");
    REQUIRE(run({"import", other, "-"}, game("Carlsen, Magnus", "C", "2020.01.01", "1-0", "1. e4"))
                .status == 0);
    const auto all = ask.json({"players", other});
    CHECK(all.size() == 7);
    CHECK(all[0]["name"] == "Carlsen, Magnus");
    CHECK(all[0]["games"] == 4);
    CHECK(all[0]["last_year"] == 2020);
    const Json one = ask.json({"players", other, "Carlsen, Magnus"}).at(0);
    CHECK(one["white"].dump() == R"({"games":3,"wins":2,"draws":0,"losses":1,"score":66.7})");
    CHECK(one["openings"].at(1)["games"] == 1);
}

TEST_CASE("prepare writes JSON, text, and a page that needs nothing else") {
    const Players ask;
    const Json found = ask.json({"prepare", "Carlsen, Magnus", "--color", "white"}).at(0);
    CHECK(found["names"].dump() == R"(["Carlsen, Magnus"])");
    CHECK(found["color"] == "white");
    CHECK(found["games"] == 2);
    CHECK(found["recent"].dump() == "[3,1]");
    CHECK(found["lost"].dump() == "[3]");
    CHECK_THAT(ask({"prepare", "Carlsen, Magnus", "--color", "white"}).out,
               Contains("this player has White: 2 games"));

    const std::string page = ask.file("c.html");
    CHECK(ask({"prepare", "Carlsen, Magnus", "--color", "white", "-o", page}).status == 0);
    const std::string html = read_file(page);
    CHECK_THAT(html, Contains("<h1>Carlsen, Magnus with White</h1>") &&
                         Contains("<td>&lt;Anand&gt; &amp; &quot;V&quot;</td>") &&
                         !Contains("<Anand>") && !Contains("http") && !Contains("src="));

    const Outcome several = ask({"prepare", "carlsen", "--color", "black"});
    CHECK(several.status == 2);
    CHECK_THAT(several.out, Contains("Carlsen,M"));
    CHECK(ask({"prepare", "Carlsen,M", "--color", "black"}).status == 1);
    CHECK(ask({"prepare", "nobody", "--color", "black"}).status == 1);
    CHECK(ask({"prepare", "Carlsen,M"}).status == 2);
    CHECK(ask({"prepare", "--color", "white"}).status == 2);
    CHECK(ask({"prepare", "Carlsen,M", "--color", "white", "-o", ask.file("c.pdf")}).status == 2);
}

TEST_CASE("A chart of ratings has an even time axis and holds each rating until the next") {
    CHECK(rating_chart({}, 80, 4).empty());
    CHECK(rating_chart({{201'001, 2500}}, 80, 4).empty());
    const std::vector<std::string> lines =
        rating_chart({{201'001, 2500}, {201'007, 2550}, {201'101, 2600}}, 80, 2);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == "2600 \xE2\x94\x82            \xE2\x96\x88");
    CHECK(
        lines[1] ==
        "2550 \xE2\x94\x82\xE2\x96\x81\xE2\x96\x81\xE2\x96\x81\xE2\x96\x81\xE2\x96\x81\xE2\x96\x81"
        "\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88");
    CHECK(lines[2] == "      2010        2011");
    // Equal ratings, a wide span, a narrow screen: never more columns than asked for.
    for (const std::size_t width : {1U, 20U, 60U}) {
        for (const std::string& line :
             rating_chart({{190'001, 2000}, {200'001, 2000}, {202'412, 2000}}, width, 8)) {
            CHECK(line.size() <= 3 * (std::max<std::size_t>(width, 16) + 6));
        }
    }
}
