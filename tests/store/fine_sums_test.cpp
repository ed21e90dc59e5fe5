#include "store/sqlite/engine/fine_sums.hpp"

#include <catch2/catch.hpp>

#include "chess/san.hpp"
#include "store/rating_groups.hpp"
#include "store/store_fixtures.hpp"
#include "support/delete_games.hpp"
#include "support/engine_comparison.hpp"

namespace {

using namespace fendex;
using store::FineFit;
using store::GameFilter;
using test::Random;

constexpr std::uint32_t kDates[] = {0,          20'190'000, 20'190'100, 20'190'131, 20'190'300,
                                    20'190'315, 20'191'231, 20'200'101, 20'200'229};

std::uint16_t random_elo(Random& random) {
    return static_cast<std::uint16_t>(random() % 5 == 0 ? 0 : 1850 + random() % 400);
}

/// Games that begin in the start position. A third come back to it, once or twice.
test::TestGame random_game(Random& random) {
    test::TestGame game = test::random_game_of(random, 1 + static_cast<unsigned>(random() % 3), 4);
    const std::uint64_t returns = random() % 3 == 0 ? 1 + random() % 2 : 0;
    chess::Position position;
    std::vector<chess::Move> there_and_back;
    for (std::uint64_t i = 0; i < returns; ++i) {
        for (const char* const san : {"Nf3", "Nf6", "Ng1", "Ng8"}) {
            chess::Move move;
            REQUIRE(chess::read_san(position, san, move) == chess::SanError::kNone);
            there_and_back.push_back(move);
            position.play(move);
        }
    }
    game.moves.insert(game.moves.begin(), there_and_back.begin(), there_and_back.end());
    game.facts.plies = static_cast<std::uint32_t>(game.moves.size());
    game.facts.white_elo = random_elo(random);
    game.facts.black_elo = random_elo(random);
    game.facts.date = kDates[random() % std::size(kDates)];
    game.facts.time_class = static_cast<codec::TimeClass>(random() % 2 * 2);
    game.facts.mode = static_cast<codec::Mode>(random() % 2);
    return game;
}

store::NumberRange random_dates(Random& random) {
    constexpr std::uint32_t kBounds[] = {0,          20'190'000, 20'190'101, 20'190'199,
                                         20'190'310, 20'191'299, 20'200'200, 20'209'999};
    std::uint32_t low = kBounds[random() % std::size(kBounds)];
    std::uint32_t high = kBounds[random() % std::size(kBounds)];
    if (low > high) std::swap(low, high);
    return {low, high};
}

GameFilter random_explorer_filter(Random& random) {
    GameFilter filter;
    if (random() % 2 == 0) filter.date = random_dates(random);
    if (random() % 2 == 0) {
        filter.mean_elo.emplace();
        for (std::uint64_t n = random() % 3; n != 0; --n) {
            filter.mean_elo->push_back(random() % 8 == 0
                                           ? store::NumberRange{1900, 2000}
                                           : store::ratings_of_group(4 + random() % 4));
        }
    }
    if (random() % 3 == 0) filter.time_classes = {codec::TimeClass::kBlitz};
    if (random() % 3 == 0) filter.mode = codec::Mode::kRated;
    if (random() % 3 == 0) filter.modes = {codec::Mode::kUnknown, codec::Mode::kCasual};
    if (random() % 3 == 0 || filter == GameFilter{}) {
        filter.variant = static_cast<chess::Variant>(random() % 2);
    }
    return filter;
}

}  // namespace

TEST_CASE("Filters of an explorer are answered from sums, as if each game was looked at") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    Random random(11);
    std::vector<test::TestGame> games;
    for (int i = 0; i < 4000; ++i) games.push_back(random_game(random));
    test::store_games(path, games, true);
    test::store_games(path, {games.begin(), games.begin() + 20}, false);
    test::delete_games(path, {7, 8, 1000, 2999});

    const auto store = store::file_store(path);
    const auto reader = store->reader();
    const auto brute = test::brute_store(path);
    const auto expected = brute->reader();
    const chess::AnyPosition start;
    const auto targets = test::targets_of(start, query::Match::kExact);
    base::StopCheck stop({});
    CHECK(store::fine_sums_again(*reader->local(), start.key(), stop) == nullptr);
    const auto fine = store::fine_sums_again(*reader->local(), start.key(), stop);
    REQUIRE(fine != nullptr);
    CHECK(fine->in_others.size() > 100);

    int answered = 0;
    for (int i = 0; i < 150; ++i) {
        const GameFilter filter = random_explorer_filter(random);
        const store::Engine::TreeLists lists{.most = random() % 2 == 0 ? 4U : 16U};
        bool has_some = lists.most > store::kFineNamedGames;
        for (const auto& group : fine->groups) {
            for (const store::FineSum& sum : group.sums) {
                has_some = has_some || fit_of(filter, sum) == FineFit::kSome;
            }
        }
        answered += has_some ? 0 : 1;
        CHECK(test::text_of(reader->engine().tree(targets, filter, lists, {})) ==
              test::text_of(expected->engine().tree(targets, filter, lists, {})));
    }
    CHECK(answered > 30);
}

TEST_CASE("Sums are for filters that compare nothing else") {
    GameFilter filter;
    filter.date.low = 20'200'000;
    filter.mean_elo = {{2000, 2199}};
    CHECK(store::is_for_fine_sums(filter));
    filter.result = codec::Result::kDraw;
    CHECK_FALSE(store::is_for_fine_sums(filter));
}
