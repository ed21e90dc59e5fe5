// The engine of a cluster answers what a double answers that looks at every game of the pushed
// databases: random questions with random filters, of one database and of two, before and after
// games were added and deleted.
#include "store/engine.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "chess/random_play.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/servers.hpp"
#include "support/engine_comparison.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;

/// Many games have positions in common, and many are equal in what they are ranked by.
std::string made_up_games(std::uint32_t seed, std::size_t games) {
    static constexpr const char* kPlayers[] = {"Carlsen, Magnus", "Carlsen,M",
                                               "carlsen magnus",  "Karpov, Anatoly",
                                               "Ivanchuk, Vasyl", "M\xC3\xBCller, Karsten",
                                               "Mueller, K",      "O'Brien, Anna Ann",
                                               "Ann A",           "?"};
    static constexpr const char* kEvents[] = {
        "Rated Blitz game", "Casual Rapid game", "Candidates 2014",
        "Rated Bullet tournament https://lichess.org/t/x", "\xC5\x81\xC3\xB3\x64\xC5\xBA Open"};
    static constexpr const char* kSites[] = {"Moscow RUS",     "https://lichess.org/abcdefgh",
                                             "London",         "https://lichess.org/moscow12",
                                             "M\xC3\xBCnchen", "Lon London"};
    static constexpr const char* kEcos[] = {"B90", "B97", "C60", "C60a", "A00", "E99", "D2", ""};
    static constexpr const char* kControls[] = {"15+0",    "60+0",    "180+2", "900+10",
                                                "5400+30", "1/86400", "-"};
    static constexpr const char* kTerminations[] = {
        "Normal", "Time forfeit",    "normal end",
        "N",      "Time  (forfeit)", "temps \xC3\xA9puis\xC3\xA9"};
    static constexpr const char* kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
    static constexpr const char* kMoves[] = {
        "",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 Bc5) 3... a6",
        "1. e4 c5 2. Nf3 (2. Nc3 Nc6) 2... d6 3. d4 cxd4",
        "1. d4 d5 2. c4 e6 3. Nc3",
        "1. e4 e5 2. Bc4 Bc5",
        "1. e3 e5 2. e4",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. d4",
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8",
        "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8"};
    Random random(seed);
    std::string text;
    for (std::size_t i = 0; i < games; ++i) {
        const auto tag = [&](const char* name, const std::string& value) {
            if (random() % 6 != 0) text += '[' + std::string(name) + " \"" + value + "\"]\n";
        };
        const auto number = [&](std::uint64_t low, std::uint64_t count) {
            return std::to_string(low + random() % count);
        };
        tag("Event", one_of(random, kEvents));
        tag("Site", random() % 3 == 0 ? "https://lichess.org/x" + number(10'000, 90'000)
                                      : one_of(random, kSites));
        tag("White", one_of(random, kPlayers));
        tag("Black", one_of(random, kPlayers));
        if (random() % 9 == 0) tag("White", one_of(random, kPlayers));
        tag("Round", number(1, 3));
        tag("Date",
            random() % 6 == 0 ? "????.??.??" : number(1990, 4) + ".0" + number(1, 9) + ".??");
        tag("UTCDate", number(1990, 4) + ".12.2" + number(0, 3));
        tag("WhiteElo", random() % 6 == 0 ? "?" : number(1800, 40));
        tag("BlackElo", number(1800, 40));
        tag("ECO", one_of(random, kEcos));
        tag("TimeControl", one_of(random, kControls));
        tag("Termination", one_of(random, kTerminations));
        if (random() % 12 == 0) tag("Termination", one_of(random, kTerminations));
        if (random() % 9 == 0) tag("Annotator", number(1, 3));
        if (random() % 12 == 0) text += "[Variant \"Crazyhouse\"]\n";
        const std::string result = one_of(random, kResults);
        text += "[Result \"" + result + "\"]\n\n" + one_of(random, kMoves) + ' ' + result + "\n\n";
    }
    return text;
}

/// The cluster beside the databases that were pushed to it, in the order of their origins.
Comparison comparison_of(const TestDatabase& database, const std::vector<std::string>& files) {
    std::vector<std::pair<std::string, store::GameId>> databases;
    for (std::size_t origin = 0; origin < files.size(); ++origin) {
        databases.emplace_back(files[origin],
                               clickhouse::cluster_id(static_cast<clickhouse::Origin>(origin), 0));
    }
    return {clickhouse::open(database.url(), {}, "")->reader(), databases};
}

}  // namespace

TEST_CASE("The engine of a cluster gives the same answers as a scan of all games",
          "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    const int rounds = at_size(1, 2);
    const TemporaryDirectory folder;
    const std::string data = FENDEX_TEST_DATA;
    const std::string first = folder / "first.db";
    must_run({"import", first, "--variations", "--quiet", FENDEX_SAMPLES,
              data + "/variants/games.pgn", data + "/repeats/pgn-extract.pgn",
              folder.write("made_up.pgn", made_up_games(1, at_size(300U, 900U)))});
    push(first, database);
    {
        Comparison comparison = comparison_of(database, {first});
        comparison.ask(1, rounds);
        comparison.ask_of_the_whole();
    }

    const std::string second = folder / "second.db";
    must_run({"import", second, "--variations", "--quiet", data + "/repeats/pgn-extract.pgn",
              folder.write("others.pgn", made_up_games(2, at_size(250U, 700U)))});
    push(second, database);
    {
        Comparison comparison = comparison_of(database, {first, second});
        comparison.ask(2, rounds);
        comparison.ask_of_the_whole();
    }

    // A small push, and games that are taken back: of many with the start position, all that
    // played one move.
    must_run({"import", first, "--quiet", folder.write("more.pgn", made_up_games(3, 100))});
    must_run({"delete", first, "--games", "2,3,7,40-60,200,210-240", "--quiet"});
    push(first, database);
    {
        Comparison comparison = comparison_of(database, {first, second});
        comparison.ask(3, rounds);
        comparison.ask_of_the_whole();
    }
}
