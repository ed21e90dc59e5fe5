// Fine sums are read back as they were collected; damaged bytes are refused or give other values,
// but do nothing worse.
#include "codec/fine_sums.hpp"

#include <catch2/catch.hpp>

#include "codec/codec_fixtures.hpp"

namespace {

using namespace fendex;
using namespace fendex::codec;
using test::Random;

constexpr std::uint32_t kGames = 100'000;

GameFacts random_facts(Random& random) {
    GameFacts facts;
    facts.result = static_cast<Result>(random() % 4);
    facts.variant = static_cast<chess::Variant>(random() % 3);
    facts.time_class = static_cast<TimeClass>(random() % 7);
    facts.mode = static_cast<Mode>(random() % 3);
    facts.white_elo = static_cast<std::uint16_t>(random() % 4 == 0 ? 0 : random());
    facts.black_elo = static_cast<std::uint16_t>(random() % 4 == 0 ? 0 : random());
    constexpr std::uint32_t kDates[] = {0,          315,        20'200'000, 20'200'100,
                                        20'200'131, 20'200'299, 99'991'231};
    facts.date = kDates[random() % std::size(kDates)];
    return facts;
}

FineSums random_sums(Random& random, FinePeriod period) {
    FineSums out;
    out.period = period;
    FineSumsBuilder again(period, 0);
    std::uint32_t game = 0;
    for (std::uint64_t groups = random() % 5; groups > 0; --groups) {
        FineSumsBuilder builder(period);
        for (std::uint64_t games = 1 + random() % 400; games > 0; --games) {
            const GameFacts facts = random_facts(random);
            game = static_cast<std::uint32_t>((game + random() % 300) % kGames);
            builder.add(game, facts);
            builder.add_occurrences(facts, 1 + random() % 3);
            if (random() % 9 == 0) again.add(game, facts);
        }
        out.groups.push_back({test::random_next(random, 30), builder.take()});
    }
    out.again = again.take();
    return out;
}

bool equal(const NamedGames& a, const NamedGames& b) {
    return std::ranges::equal(a.entries(), b.entries(), [](const auto& x, const auto& y) {
        return x.game == y.game && x.rank == y.rank;
    });
}

bool equal(const FineSum& a, const FineSum& b) {
    return a.of == b.of && a.tally == b.tally && equal(a.top, b.top) && equal(a.recent, b.recent);
}

bool equal(const std::vector<FineSum>& a, const std::vector<FineSum>& b) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return equal(x, y); });
}

}  // namespace

TEST_CASE("Fine sums are read back unchanged") {
    Random random(41);
    for (int round = 0; round < 200; ++round) {
        const FineSums sums = random_sums(random, static_cast<FinePeriod>(round % 2));
        const auto back = decode_fine_sums(encode_fine_sums(sums), kGames);
        REQUIRE(back);
        REQUIRE(back->period == sums.period);
        REQUIRE(back->groups.size() == sums.groups.size());
        for (std::size_t i = 0; i < sums.groups.size(); ++i) {
            REQUIRE(back->groups[i].next == sums.groups[i].next);
            REQUIRE(equal(back->groups[i].sums, sums.groups[i].sums));
        }
        REQUIRE(equal(back->again, sums.again));
    }
}

TEST_CASE("The sums of a move are those of its games, and their parts can be added up") {
    Random random(42);
    FineSumsBuilder all;
    FineSumsBuilder parts[2];
    Tally tally;
    for (std::uint32_t game = 0; game < 3000; ++game) {
        const GameFacts facts = random_facts(random);
        for (FineSumsBuilder* const each : {&all, &parts[random() % 2]}) {
            each->add(game, facts);
            each->add_occurrences(facts, 2);
        }
        tally.add_game(facts);
        tally.occurrences += 2;
    }
    parts[0].add(parts[1]);
    const std::vector<FineSum> sums = all.take();
    CHECK(equal(parts[0].take(), sums));
    Tally sum;
    for (const FineSum& each : sums) sum.add(each.tally);
    CHECK((sum == tally));
}

TEST_CASE("Damaged fine sums are refused or misread, and never do harm") {
    Random random(43);
    for (int round = 0; round < 100; ++round) {
        const std::string bytes = encode_fine_sums(random_sums(random, FinePeriod::kMonth));
        for (int i = 0; i < 50; ++i) {
            const auto back = decode_fine_sums(test::damage(bytes, random), kGames);
            if (!back) continue;
            for (const FineSums::Group& group : back->groups) {
                for (const FineSum& sum : group.sums) {
                    for (const auto& each : sum.top.entries()) REQUIRE(each.game < kGames);
                    for (const auto& each : sum.recent.entries()) REQUIRE(each.game < kGames);
                }
            }
        }
        CHECK_FALSE(decode_fine_sums(bytes + "x", kGames));
    }
    CHECK_FALSE(decode_fine_sums("", kGames));
    CHECK_FALSE(decode_fine_sums(std::string(20, '\xFF'), kGames));
}
