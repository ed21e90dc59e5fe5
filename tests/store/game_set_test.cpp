#include "store/sqlite/engine/game_set.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "chess/random_play.hpp"

using namespace fendex;
using store::GameSet;
using test::Random;

TEST_CASE("A set made from bits has the games of these bits, however many there are") {
    Random random(63);
    for (const std::uint64_t one_in : {1U, 2U, 7U, 16U, 17U, 300U, 70'000U}) {
        CAPTURE(one_in);
        std::vector<std::uint64_t> bits(1 + random() % 5000);
        std::vector<std::uint32_t> games;
        for (std::uint32_t game = 0; game < bits.size() * 64; ++game) {
            if (random() % one_in != 0) continue;
            bits[game / 64] |= std::uint64_t{1} << (game % 64);
            games.push_back(game);
        }
        const GameSet set = GameSet::of_bits(bits);
        CHECK(set.numbers() == games);
        CHECK(set.size() == games.size());
        GameSet added;
        added.add(games);
        CHECK(set == added);
        const store::GameId last = 64 * bits.size() - 1 + random() % 200'000;
        auto back = set.bits(last);
        REQUIRE(back.size() * 64 > last);
        back.resize(bits.size());
        CHECK(std::ranges::equal(back, bits));
        const std::size_t most = random() % (games.size() + 2);
        games.resize(std::min(games.size(), most));
        CHECK(set.numbers(most) == games);
    }
    CHECK(GameSet::of_bits({}).size() == 0);
    GameSet range;
    range.add_range(63, 70'000);
    range.remove(100);
    const auto bits = range.bits(70'000);
    CHECK(bits[0] == std::uint64_t{1} << 63);
    CHECK(bits[1] == ~(std::uint64_t{1} << 36));
    CHECK(bits[70'000 / 64] == (std::uint64_t{1} << 48) - 1);
}

TEST_CASE("Intersection and union of sets have the right games") {
    Random random(64);
    std::set<std::uint32_t> a;
    std::set<std::uint32_t> b;
    GameSet as;
    GameSet bs;
    for (int i = 0; i < 5000; ++i) {
        const auto game = static_cast<std::uint32_t>(1 + random() % 9000);
        (i % 2 == 0 ? a : b).insert(game);
        (i % 2 == 0 ? as : bs).add({&game, 1});
    }
    std::vector<std::uint32_t> both;
    for (const std::uint32_t game : a) {
        if (b.contains(game)) both.push_back(game);
    }
    CHECK((as & bs).numbers() == both);
    GameSet any = as;
    any |= bs;
    CHECK(any.size() == a.size() + b.size() - both.size());
    CHECK(as.size() == a.size());
    as.remove(*a.begin());
    CHECK_FALSE(as.contains(*a.begin()));
    CHECK_FALSE(as.contains(GameSet::kEnd + *a.rbegin()));
    GameSet range;
    range.add_range(5, 8);
    CHECK(range.numbers() == std::vector<std::uint32_t>{5, 6, 7});
}
