#include "store/sqlite/engine/ranked_games.hpp"

#include <catch2/catch.hpp>
#include <optional>

#include "store/fine_sums_fixtures.hpp"
#include "support/delete_games.hpp"

namespace {

using namespace fendex;
using store::GameOrder;

}  // namespace

TEST_CASE("Threads find the first games of many by rating, date or length") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    test::Random random(31);
    std::vector<test::TestGame> games;
    // Enough that several threads look for them.
    for (int i = 0; i < 40'000; ++i) {
        test::TestGame& game = games.emplace_back(
            test::random_game_of(random, static_cast<unsigned>(random() % 3), 20));
        game.facts.white_elo = test::random_elo(random);
        game.facts.date = test::kDates[random() % std::size(test::kDates)];
    }
    test::store_games(path, games, false);
    test::delete_games(path, {1, 7, 4096, 4097, 8192, 39'999});
    const auto brute = test::brute_store(path)->reader();
    for (int i = 0; i < 24; ++i) {
        const auto reader = store::file_store(path)->reader();
        store::GameFilter filter;
        if (i % 2 == 1)
            filter.white_elo = {1800 + static_cast<std::uint32_t>(random() % 500), 4000};
        if (i % 5 == 0) filter.result = codec::Result::kDraw;
        if (i == 23) filter.white_elo = {2249, 2249};
        const auto order = static_cast<GameOrder>(1 + random() % 3);
        constexpr std::size_t kMost[] = {0, 1, 20, 300, 100'000};
        const std::size_t most = kMost[random() % std::size(kMost)];
        std::optional<store::RankedGame> after;
        CAPTURE(i, most);
        for (int page = 0; page < 2; ++page) {
            const auto found = reader->engine().games(filter, order, after, most, {});
            const auto expected = brute->engine().games(filter, order, after, most, {});
            REQUIRE(found.size() == expected.size());
            std::size_t equal = 0;
            for (std::size_t k = 0; k < found.size(); ++k) {
                equal += found[k].game == expected[k].game && found[k].rank == expected[k].rank;
            }
            CHECK(equal == found.size());
            if (!found.empty()) after = found[found.size() / 2];
        }
    }
}
