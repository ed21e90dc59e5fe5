// Rows of positions that many games reach: summaries and posting chunks are decoded as they were
// encoded; damage is reported or gives other values, but does nothing worse.
#include "codec/big_position.hpp"

#include <catch2/catch.hpp>

#include "codec/codec_fixtures.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using namespace fendex::codec;
using test::Random;

constexpr std::uint64_t kKey = 0x463b96181691fc9cULL;

/// Sorted postings of one group.
std::vector<Posting> random_group(Random& random, std::size_t count, std::uint64_t games,
                                  std::uint64_t max_ply) {
    const chess::Move next = test::random_next(random, 30);
    std::vector<Posting> group;
    for (; count > 0; --count) {
        group.emplace_back(kKey, next, static_cast<std::uint32_t>(random() % games),
                           static_cast<std::uint32_t>(random() % (max_ply + 1)));
    }
    test::sort_unique(group);
    return group;
}

Tally random_tally(Random& random) {
    Tally tally;
    tally.games = random() % 1000;
    tally.occurrences = tally.games + random() % 1000;
    for (std::uint64_t& n : tally.results.by_code) n = random() >> (random() % 64);
    tally.white_elo_sum = random() >> (random() % 64);
    tally.white_elo_games = random() % 1000;
    tally.black_elo_sum = random() >> (random() % 64);
    tally.black_elo_games = random() % 1000;
    tally.first_date = static_cast<std::uint32_t>(random() % 20'250'000);
    tally.last_date = static_cast<std::uint32_t>(random() % 20'250'000);
    return tally;
}

std::vector<std::uint32_t> random_games(Random& random) {
    std::vector<std::uint32_t> games(random() % (kNamedGames + 1));
    for (std::uint32_t& game : games)
        game = static_cast<std::uint32_t>(random() % Posting::kMaxGames);
    return games;
}

PositionSummary random_summary(Random& random) {
    PositionSummary summary;
    summary.total = random_tally(random);
    for (std::uint64_t n = random() % 40; n > 0; --n) {
        summary.groups.push_back({test::random_next(random, 500), random_tally(random),
                                  random_games(random), random_games(random),
                                  static_cast<std::uint32_t>(random() % 1000)});
    }
    return summary;
}

/// Checks that the games alone are read like the postings.
void check_games(std::string_view chunk, const SegmentShape& shape) {
    std::vector<Posting> postings;
    std::vector<std::uint32_t> games{5};
    chess::Move next;
    const BlockStatus status = decode_big_postings(chunk, shape, kKey, postings);
    REQUIRE(decode_big_games(chunk, shape, next, games) == status);
    if (status != BlockStatus::kOk) return;
    std::vector<std::uint32_t> expected{5};
    for (const Posting& each : postings) expected.push_back(each.game());
    REQUIRE((games == expected));
    REQUIRE(next == postings.front().next());
}

bool equal(const GroupSummary& a, const GroupSummary& b) {
    return a.next == b.next && a.tally == b.tally && a.top_games == b.top_games &&
           a.recent_games == b.recent_games && a.chunks == b.chunks;
}

bool equal(const PositionSummary& a, const PositionSummary& b) {
    return a.total == b.total && a.groups.size() == b.groups.size() &&
           std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(),
                      [](const GroupSummary& x, const GroupSummary& y) { return equal(x, y); });
}

}  // namespace

TEST_CASE("Postings of a group are read back unchanged, chunk by chunk") {
    Random random(31);
    for (const std::uint64_t games : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{5000},
                                      std::uint64_t{Posting::kMaxGames}}) {
        for (const std::uint64_t max_ply :
             {std::uint64_t{0}, std::uint64_t{120}, std::uint64_t{Posting::kMaxPly}}) {
            for (const std::size_t count : {1U, 2U, 300U, test::fewer(60'000U, 4)}) {
                const std::vector<Posting> group = random_group(random, count, games, max_ply);
                const SegmentShape shape{32, games};
                std::vector<Posting> back;
                for (const std::string& chunk : encode_big_postings(group, shape)) {
                    REQUIRE(chunk.size() <= kBlockBytes);
                    const std::size_t before = back.size();
                    REQUIRE(decode_big_postings(chunk, shape, kKey, back) == BlockStatus::kOk);
                    REQUIRE(back.size() > before);
                    check_games(chunk, shape);
                }
                CHECK((back == group));
            }
        }
    }
}

TEST_CASE("A long regular group is cut into full chunks") {
    std::vector<Posting> group;
    for (std::uint32_t game = 0; game < 200'000; ++game) {
        group.emplace_back(kKey, chess::Move(12, 28), game, 0U);
    }
    const std::vector<std::string> chunks = encode_big_postings(group, {32, 200'000});
    REQUIRE(chunks.size() > 1);
    for (std::size_t i = 0; i + 1 < chunks.size(); ++i) CHECK(chunks[i].size() > kBlockBytes - 100);
    for (const std::string& chunk : chunks) check_games(chunk, {32, 200'000});
}

TEST_CASE("Damaged chunks are refused or misread, and never do harm") {
    Random random(32);
    for (int round = 0; round < 200; ++round) {
        const std::uint64_t games = 1 + random() % 5000;
        const SegmentShape shape{32, games};
        const std::vector<Posting> group = random_group(random, 1 + random() % 400, games, 200);
        const std::string chunk = encode_big_postings(group, shape).front();
        for (int i = 0; i < 60; ++i) {
            const std::string damaged = test::damage(chunk, random);
            std::vector<Posting> back;
            const BlockStatus status = decode_big_postings(damaged, shape, kKey, back);
            bool sane = back.size() <= damaged.size() * 8;
            for (const Posting& p : back) sane = sane && p.key == kKey && p.game() < games;
            REQUIRE(sane);
            if (damaged.size() + 8 < chunk.size()) CHECK(status == BlockStatus::kCorrupt);
            check_games(damaged, shape);
        }
    }
    std::vector<Posting> nothing;
    CHECK(decode_big_postings("", {32, 1}, kKey, nothing) == BlockStatus::kCorrupt);
    CHECK(decode_big_postings(std::string(20, '\0'), {32, 1}, kKey, nothing) ==
          BlockStatus::kCorrupt);
    CHECK(decode_big_postings(std::string(20, '\xFF'), {32, 1}, kKey, nothing) ==
          BlockStatus::kCorrupt);
    CHECK(nothing.empty());
}

TEST_CASE("Summaries are read back unchanged") {
    Random random(33);
    for (int round = 0; round < 300; ++round) {
        const PositionSummary summary = random_summary(random);
        const std::optional<PositionSummary> back = decode_summary(encode_summary(summary));
        REQUIRE(back);
        CHECK(equal(*back, summary));
    }
}

TEST_CASE("Damaged summaries are refused or misread, and never do harm") {
    Random random(34);
    for (int round = 0; round < test::fewer(100); ++round) {
        const std::string bytes = encode_summary(random_summary(random));
        for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 50) {
            CHECK_FALSE(decode_summary(std::string_view(bytes).substr(0, size)));
        }
        CHECK_FALSE(decode_summary(bytes + '\0'));
        for (int i = 0; i < 60; ++i) {
            const std::string damaged = test::damage(bytes, random);
            const std::optional<PositionSummary> back = decode_summary(damaged);
            if (!back) continue;
            REQUIRE(back->groups.size() <= damaged.size());
            for (const GroupSummary& group : back->groups) {
                REQUIRE(group.top_games.size() <= kNamedGames);
                REQUIRE(group.recent_games.size() <= kNamedGames);
            }
        }
    }
    CHECK_FALSE(decode_summary(""));
    for (int round = 0; round < test::fewer(20'000); ++round) {
        std::string bytes(random() % 100, '\0');
        for (char& c : bytes) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 8);
        static_cast<void>(decode_summary(bytes));
    }
}

TEST_CASE("A tally counts known values only") {
    Tally tally;
    GameFacts facts;
    facts.result = Result::kWhiteWins;
    facts.white_elo = 2500;
    facts.date = 19'980'000;
    tally.add_game(facts);
    facts = {};
    facts.result = Result::kDraw;
    facts.black_elo = 2400;
    facts.date = 18'510'621;
    tally.add_game(facts);
    tally.add_game({});
    CHECK(tally.games == 3);
    CHECK(tally.results[Result::kUnknown] == 1);
    CHECK(tally.results[Result::kWhiteWins] == 1);
    CHECK(tally.results[Result::kBlackWins] == 0);
    CHECK(tally.results[Result::kDraw] == 1);
    CHECK(tally.white_elo_sum == 2500);
    CHECK(tally.white_elo_games == 1);
    CHECK(tally.black_elo_sum == 2400);
    CHECK(tally.black_elo_games == 1);
    CHECK(tally.first_date == 18'510'621);
    CHECK(tally.last_date == 19'980'000);

    Tally sum;
    sum.add({});
    CHECK(sum == Tally{});
    sum.add(tally);
    CHECK(sum == tally);
    sum.add(tally);
    CHECK(sum.games == 6);
    CHECK(sum.white_elo_sum == 5000);
    CHECK(sum.first_date == 18'510'621);
    CHECK(sum.last_date == 19'980'000);
}
