#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;
using Catch::Matchers::Contains;

std::string game(const std::string& white, const std::string& black, const std::string& moves,
                 const std::string& result) {
    return "[White \"" + white + "\"]\n[Black \"" + black + "\"]\n[Result \"" + result + "\"]\n\n" +
           moves + ' ' + result + "\n\n";
}

/// Lines for White: 1.e4, and either 2.Nf3 or 2.Bc4 after 1...e5.
constexpr const char* kLines =
    "[Event \"?\"]\n\n1. e4 e5 (1... c5 2. Nf3 d6 (2... Nc6 3. d4) 3. d4) 2. Nf3 (2. Bc4 Nf6) "
    "2... Nc6 3. Bb5 *\n\n1. Nf3 Nc6 2. e4 *\n";

class Repertoires {
  public:
    Repertoires() {
        const std::string games =
            game("Me, Myself", "A", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1-0") +  // to the end
            game("Me", "B", "1. Nf3 Nc6 2. e4 e5 3. Bc4", "0-1") +             // by the player
            game("Me, Myself", "C", "1. e4 e6 2. d4", "1/2-1/2") +             // by the opponent
            game("C", "Me, Myself", "1. e4 c5 2. Nf3 e6", "*") +               // as Black
            game("D", "E", "1. e4 c5 2. Nf3", "1-0") +                         // ends within them
            game("D", "E", "1. e4 c5 2. Nf3 e6", "1-0") +
            game("D", "F", "1. e4 c5 2. Nf3 d6 3. Bb5+ Nc6 4. d4", "1-0");
        REQUIRE(run({"import", database(), directory_.write("games.pgn", games)}).status == 0);
        REQUIRE(run({"names", database(), "--join", "Me, Myself", "Me"}).status == 0);
    }
    std::string database() const { return directory_ / "my.db"; }
    const TemporaryDirectory& directory() const { return directory_; }

    Outcome ask(Words words, const std::string& lines = kLines) const {
        words.insert(words.begin(), {"repertoire", database(), "-", "--color", "white"});
        return run(words, lines);
    }
    std::vector<Json> json(Words words, const std::string& lines = kLines) const {
        words.insert(words.end(), {"--format", "json"});
        return json_lines(ask(words, lines).out);
    }

  private:
    TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("repertoire says who left the lines, where, and what they have there") {
    const Repertoires repertoires;
    const auto rows = repertoires.json({});
    REQUIRE(rows.size() == 7);
    CHECK(members(rows[0]) == Words{"game_id", "left_by", "ply", "played", "expected", "fen",
                                    "points", "white", "black", "result", "date", "event", "site",
                                    "round", "white_elo", "black_elo", "eco"});
    const auto first = [](const Json& row) {
        Json out = row;
        for (const auto& name : members(row)) {
            const bool shown = name == "left_by" || name == "ply" || name == "played" ||
                               name == "expected" || name == "points";
            if (!shown) out.erase(name);
        }
        return out;
    };
    const auto row = [](Json left_by, unsigned ply, Json played, Words expected, Json points) {
        return Json{{"left_by", std::move(left_by)},
                    {"ply", ply},
                    {"played", std::move(played)},
                    {"expected", std::move(expected)},
                    {"points", std::move(points)}};
    };
    CHECK(first(rows[0]) == row(nullptr, 5, "a6", {}, 1.0));
    CHECK(first(rows[1]) == row("player", 4, "Bc4", {"Bb5"}, 0.0));
    CHECK(first(rows[2]) == row("opponent", 1, "e6", {"e5", "c5"}, 0.5));
    CHECK(first(rows[3]) == row("opponent", 3, "e6", {"d6", "Nc6"}, nullptr));
    CHECK(first(rows[4]) == row(nullptr, 3, nullptr, {"d6", "Nc6"}, 1.0));
    CHECK(first(rows[6]) == row("player", 4, "Bb5+", {"d4"}, 1.0));
    CHECK(rows[2]["fen"] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
}

TEST_CASE("repertoire counts a player's games of one colour, under joined names") {
    const Repertoires repertoires;
    const auto games = [&](const Words& words) {
        std::vector<int> out;
        for (const Json& row : repertoires.json(words)) out.push_back(row["game_id"]);
        return out;
    };
    CHECK(games({"--player", "me"}) == std::vector{1, 2, 3});
    CHECK(games({"--player", "myself", "--player", "C"}) == std::vector{3});
    CHECK(games({"--player", "me", "--result", "0-1"}) == std::vector{2});
    CHECK(games({"--limit", "2", "--offset", "3"}) == std::vector{4, 5});
    CHECK(games({"--sort", "plies"}) == std::vector{7, 1, 2, 4, 6, 3, 5});
    CHECK(games({"--sort", "plies", "--limit", "3", "--offset", "2"}) == std::vector{2, 4, 6});
    CHECK(run({"repertoire", repertoires.database(), "-", "--color", "black", "--player", "me",
               "--format", "json"},
              kLines)
              .out.find("\"game_id\":4") == 1);
    check_refused(repertoires.ask({"--player", "me", "--white", "you"}), {"--white"});
    CHECK(repertoires.ask({"--player", "nobody"}).status == 1);
}

TEST_CASE("repertoire --gaps weighs replies by how likely it is to get there") {
    const Repertoires repertoires;
    const auto gaps = repertoires.json({"--gaps"});
    REQUIRE(gaps.size() == 2);
    CHECK(members(gaps[0]) == Words{"fen", "san", "games", "share", "line"});
    // 1.e4 or 1.Nf3; of six games with 1.e4, four have 1...c5, one of these ends, two go on 2...e6.
    CHECK(gaps[0]["san"] == "e6");
    CHECK(gaps[0]["line"] == "1.e4 c5 2.Nf3");
    CHECK(gaps[0]["games"] == 2);
    CHECK(gaps[0]["share"] == Approx(100 * 0.5 * 4 / 6 * 2 / 4).margin(0.001));
    CHECK(gaps[1]["san"] == "e6");
    CHECK(gaps[1]["line"] == "1.e4");
    CHECK(gaps[1]["share"] == Approx(100 * 0.5 / 6).margin(0.001));
    CHECK(repertoires.json({"--gaps", "--min-games", "2"}).size() == 1);
    CHECK(repertoires.json({"--gaps", "--min-games", "3"}).empty());
}

TEST_CASE("repertoire --coverage lists the positions of the lines") {
    const Repertoires repertoires;
    const auto rows = repertoires.json({"--coverage"}, "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 *");
    REQUIRE(rows.size() == 7);
    CHECK(members(rows[0]) ==
          Words{"number", "before", "san", "fen", "games", "share", "covered", "line"});
    const auto first = [](const Json& row) {
        return Json{row["number"], row["before"],  row["san"], row["games"],
                    row["share"],  row["covered"], row["line"]};
    };
    CHECK(first(rows[0]) == Json{1, nullptr, nullptr, 7, 100.0, nullptr, ""});
    // 1...e6 of one of six games is not covered.
    CHECK(first(rows[1]) == Json{2, 1, "e4", 6, 100.0, 83.333, "1.e4"});
    CHECK(first(rows[2]) == Json{3, 2, "e5", 1, 16.667, nullptr, "1.e4 e5"});
    CHECK(first(rows[3]) == Json{4, 3, "Nf3", 1, 16.667, nullptr, "1.e4 e5 2.Nf3"});
    CHECK(first(rows[4]) == Json{5, 2, "c5", 4, 66.667, nullptr, "1.e4 c5"});
    CHECK(first(rows[5]) == Json{6, 5, "Nf3", 4, 66.667, 33.333, "1.e4 c5 2.Nf3"});
    CHECK(first(rows[6]) == Json{7, 6, "d6", 1, 16.667, nullptr, "1.e4 c5 2.Nf3 d6"});
}

TEST_CASE("repertoire says that lines contradict one another, and lists where") {
    const Repertoires repertoires;
    const Outcome games = repertoires.ask({});
    CHECK_THAT(games.err, Contains("several moves of the player at 2 positions"));
    CHECK(repertoires.ask({"--quiet"}).err.empty());
    const auto found = repertoires.json({"--contradictions"});
    REQUIRE(found.size() == 2);
    CHECK(found[0] == Json{{"fen", kStart}, {"moves", {"e4", "Nf3"}}, {"line", ""}});
    CHECK(found[1]["line"] == "1.e4 e5");
    CHECK(found[1]["moves"] == Json{"Nf3", "Bc4"});
    CHECK(repertoires.ask({"--contradictions"}, "1. e4 e5 2. Nf3 *").status == 1);
}

TEST_CASE(
    "repertoire names the move after the last position that a game has in common with lines") {
    const TemporaryDirectory directory;
    const std::string database = directory / "my.db";
    const std::string games = game("A", "B", "1. c4 e6 2. d4 d5 3. Nf3", "*") +
                              game("A", "B", "1. c4 e6 2. d4 d5 3. Nc3", "*");
    REQUIRE(run({"import", database, directory.write("games.pgn", games)}).status == 0);
    const std::string lines = "1. d4 d5 2. c4 e6 3. Nc3 *";
    const Words words{"repertoire", database, "-", "--color", "white", "--format", "json"};
    const auto rows = json_lines(run(words, lines).out);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["left_by"] == "player");
    CHECK(rows[0]["ply"] == 4);
    CHECK(rows[0]["played"] == "Nf3");
    CHECK(rows[0]["expected"] == Json{"Nc3"});
    CHECK(rows[1]["left_by"].is_null());
    CHECK(rows[1]["ply"] == 5);
}

TEST_CASE("repertoire refuses lines that cannot be read as a whole") {
    const Repertoires repertoires;
    check_refused(repertoires.ask({}, "1. e4 e5 2. Ke3 *"), {"game 1, line 1", "Ke3"});
    check_refused(repertoires.ask({}, "1. e4 e5 *\n\n1. d4 d5 (1... Nf6 2. c4 Qb6 3. e4) 2. c4 *"),
                  {"game 2, which begins in line 3, in a variation after ply 3", "Qb6"});
    check_refused(repertoires.ask({}, "1. e4 (1. Ke3) 1... e5 (1... Ke4) *"), {"and 1 more error"});
    check_refused(repertoires.ask({}, "[White \"A\"]\n\n*\n"), {"no moves"});
    check_refused(repertoires.ask({"--gaps", "--contradictions"}), {"cannot be combined"});
    check_refused(repertoires.ask({"--min-games", "2"}), {"--gaps"});
    check_refused(repertoires.ask({"--gaps", "--sort", "date"}), {"--sort"});
    check_refused(repertoires.ask({"--gaps", "--coverage"}), {"cannot be combined"});
    check_refused(run({"repertoire", repertoires.database(), "-"}, std::string(kLines)),
                  {"--color"});
    check_refused(run({"repertoire", repertoires.database(), "--color", "white"}), {"which lines"});
}

TEST_CASE("repertoire reads lines from any position, and of variants") {
    const Repertoires repertoires;
    const std::string set_up =
        "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\"]\n"
        "\n2... d6 3. d4 *\n";
    const auto rows = repertoires.json({}, set_up);
    CHECK(rows.size() == 4);  // those that came to the Sicilian
    const auto gaps = repertoires.json({"--gaps"}, set_up);
    REQUIRE(gaps.size() == 1);
    CHECK(gaps[0]["share"] == 50.0);
    CHECK(repertoires.ask({}, "[Variant \"Atomic\"]\n\n1. e4 e5 *").status == 1);
}
