// The filters as options: the same on every verb that has answers.
#include "cli/fixture.hpp"

namespace {

using namespace fendex::test;

Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::vector<Json> games(const Words& filter) {
    return json_lines(run(with({"games", samples_database(), "--format", "json"}, filter)).out);
}

}  // namespace

TEST_CASE("games finds games by player, date, rating and result") {
    const auto kasparov = games({"--player", "kasparov"});
    CHECK_FALSE(kasparov.empty());
    for (const Json& game : kasparov) {
        const std::string both =
            game["white"].get<std::string>() + game["black"].get<std::string>();
        CHECK(both.find("Kasparov") != std::string::npos);
    }
    CHECK(games({"--player", "KASPAROV"}).size() == kasparov.size());
    // Latin-1 in the file, accents left out here.
    CHECK(games({"--event", "gyorgy"}).size() == 18);
    CHECK(games({"--event", "gy\xC3\xB6rgy"}).size() == 18);
    CHECK(games({"--source", "marx-gyorgy-2006.pgn"}).size() == 18);
    const auto sorted = games({"--sort", "plies", "--limit", "3"});
    REQUIRE(sorted.size() == 3);
    CHECK(sorted[0]["plies"] == 400);
    CHECK(sorted[0]["plies"] >= sorted[1]["plies"]);
    CHECK(sorted[1]["plies"] >= sorted[2]["plies"]);
    const Outcome none = run({"games", samples_database(), "--since", "2100"});
    CHECK(none.status == 1);
    CHECK(none.err.empty());
}

TEST_CASE("find takes filters, orders and pages") {
    const Words find{"find", samples_database(), kStart, "--format", "json"};
    const auto all = json_lines(run(find).out);
    const auto draws = json_lines(run(with(find, {"--result", "1/2-1/2"})).out);
    std::vector<Json> expected;
    for (const Json& game : all) {
        if (game["result"] == "1/2-1/2") expected.push_back(game);
    }
    CHECK(draws == expected);
    const Json count = json_lines(run(with(find, {"--result", "1/2-1/2", "--count"})).out)[0];
    CHECK(count["games"] == expected.size());

    auto by_date = json_lines(run(with(find, {"--sort", "date"})).out);
    CHECK(by_date.size() == all.size());
    CHECK(by_date.front()["date"] >= by_date[10]["date"]);
    const auto page =
        json_lines(run(with(find, {"--sort", "date", "--offset", "3", "--limit", "4"})).out);
    CHECK(page == std::vector<Json>(by_date.begin() + 3, by_date.begin() + 7));
    const Outcome table = run({"find", samples_database(), kStart, "--sort", "elo"});
    CHECK_THAT(table.out, Catch::Matchers::Contains("... and 86 more games"));
}

TEST_CASE("find --match finds boards and mirrored positions") {
    const std::string db = samples_database();
    const std::string after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    CHECK(run({"find", db, after_e4 + " w - - 0 1"}).status == 1);
    const auto board = json_lines(
        run({"find", db, after_e4 + " w - - 0 1", "--match", "board", "--format", "json"}).out);
    CHECK(board.size() == 56);
    check_refused(run({"find", db, "--key", "463b96181691fc9c", "--match", "board"}), {"--key"});
    check_refused(run({"find", db, kStart, "--match", "mirored"}), {"did you mean 'mirrored'"});
}

TEST_CASE("A typo in an option or a value is an error with a suggestion") {
    const std::string db = samples_database();
    for (const std::string verb : {"games", "tree", "find"}) {
        CAPTURE(verb);
        check_refused(run({verb, db, "--palyer", "x"}), {"--palyer", "did you mean '--player'"});
        check_refused(run({verb, db, "--time-control", "blits"}), {"did you mean 'blitz'"});
        check_refused(run({verb, db, "--result", "wite"}), {"did you mean 'white'"});
        check_refused(run({verb, db, "--since", "lately"}), {"--since", "lately"});
        check_refused(run({verb, db, "--eco", "Z99"}), {"--eco", "Z99"});
        check_refused(run({verb, db, "--source", "none.pgn"}),
                      {"--source", "none.pgn", "classics.pgn"});
    }
}
