// Which games are fetched together with one that is asked for.
#include "clickhouse/expected_games.hpp"

#include <catch2/catch.hpp>
#include <vector>

using fendex::clickhouse::ExpectedGames;
using fendex::store::GameId;

TEST_CASE("A game of the last list is fetched with those that follow in the list", "[clickhouse]") {
    ExpectedGames expected;
    expected.set(std::vector<GameId>{30, 7, 7, 99});
    CHECK(expected.with(7) == std::vector<GameId>{7, 30, 99});
    CHECK(expected.with(30) == std::vector<GameId>{30, 99});
    CHECK(expected.with(8) == std::vector<GameId>{8});
    expected.clear();
    CHECK(expected.with(30) == std::vector<GameId>{30});
}

TEST_CASE("Games requested in ascending order are fetched in batches that double", "[clickhouse]") {
    ExpectedGames expected;
    std::size_t queries = 0;
    std::vector<GameId> facts;
    std::vector<GameId> moves;
    const auto fetch = [&](GameId game, std::vector<GameId>& kept) {
        if (!kept.empty() && game <= kept.back()) return;
        kept = expected.with(game);
        ++queries;
        REQUIRE(kept.front() == game);
        REQUIRE(kept.size() <= ExpectedGames::kMost);
    };
    for (GameId game = 1; game <= 100'000; ++game) {
        fetch(game, facts);
        fetch(game, moves);
    }
    CHECK(queries < 240);
    CHECK(expected.with(500'000).size() == 1);
}
