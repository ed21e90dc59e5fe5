#include "store/sqlite/engine/position_scan.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "store/fine_sums_fixtures.hpp"
#include "support/delete_games.hpp"

namespace {

using namespace fendex;
using store::GameFilter;
using test::Random;

constexpr std::uint32_t kEveryNumber = std::numeric_limits<std::uint32_t>::max();

/// Games that come back to the start position; many of them, more and more to the end, so often
/// that the index has several pieces for the move that they play there.
std::vector<test::TestGame> games_with_a_main_move(Random& random, int count) {
    test::TestGame main_game;
    chess::Position position;
    for (int i = 0; i < 36; ++i) {
        constexpr const char* kThereAndBack[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
        chess::Move move;
        REQUIRE(chess::read_san(position, kThereAndBack[i % 4], move) == chess::SanError::kNone);
        main_game.moves.push_back(move);
        position.play(move);
    }
    std::vector<test::TestGame> games;
    for (int i = 0; i < count; ++i) {
        test::TestGame& game = games.emplace_back(test::random_returning_game(random, 100));
        if (static_cast<int>(random() % static_cast<unsigned>(count)) > 2 * i) continue;
        game.moves = main_game.moves;
        game.facts.plies = static_cast<std::uint32_t>(game.moves.size());
    }
    return games;
}

/// A filter that compares facts only, and not by the sums of an explorer.
GameFilter random_filter_of_facts(Random& random) {
    GameFilter filter;
    while (filter == GameFilter{}) {
        const auto elo = [&] { return static_cast<std::uint32_t>(1800 + random() % 400); };
        if (random() % 2 == 0) filter.white_elo = {elo(), kEveryNumber};
        if (random() % 3 == 0) filter.black_elo = {0, elo()};
        if (random() % 3 == 0) filter.result = static_cast<codec::Result>(random() % 4);
        if (random() % 4 == 0) filter.plies = {static_cast<std::uint32_t>(random() % 4), 11};
        if (random() % 4 == 0) filter.date = test::random_dates(random);
        if (random() % 5 == 0) filter.time_classes = {codec::TimeClass::kBlitz};
        if (random() % 5 == 0) filter.modes = {codec::Mode::kUnknown, codec::Mode::kRated};
        if (random() % 9 == 0) filter.result = codec::Result::kUnknown;
        if (random() % 9 == 0) filter.white_elo = {2300, kEveryNumber};  // few games or none
    }
    return filter;
}

bool has_piece_that_goes_on(store::LocalReader& reader, std::uint64_t key) {
    return std::ranges::any_of(reader.pieces(key)->pieces(),
                               [](const auto& piece) { return piece.goes_on; });
}

/// Returns whether the games that fit a condition of the filter are known.
bool has_a_set(store::LocalReader& reader, const GameFilter& filter, base::StopCheck& stop) {
    return std::ranges::any_of(conditions_of(reader, filter, stop), [&](const auto& condition) {
        return reader.snapshot_cache().template get<store::GameSet>(key_of(condition)) != nullptr;
    });
}

}  // namespace

TEST_CASE("Threads that scan a position test filters on facts, as if each game was looked at") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    Random random(21);
    for (const int games : {9000, 5000}) {
        test::store_games(path, games_with_a_main_move(random, games), true);
    }
    test::store_games(path, games_with_a_main_move(random, 20), false);
    test::delete_games(path, {7, 4096, 4097, 8192, 9000, 9001, 14'003});
    const auto brute = test::brute_store(path);
    const auto expected = brute->reader();
    const chess::AnyPosition start;
    const auto targets = test::targets_of(start, query::Match::kExact);
    {
        const auto reader = store::file_store(path)->reader();
        REQUIRE(has_piece_that_goes_on(*reader->local(), start.key()));
    }
    base::StopCheck stop({});
    int tested = 0;
    constexpr int kRounds = 8;
    for (int i = 0; i < kRounds; ++i) {
        const GameFilter filter = random_filter_of_facts(random);
        const store::Engine::TreeLists lists{.most = random() % 4};
        const std::vector<std::vector<store::Engine::Target>> questions{targets};
        const std::string tree = test::text_of(expected->engine().tree(targets, filter, lists, {}));
        const std::string counts = test::text_of(expected->engine().counts(questions, filter, {}));
        {
            // The first question is answered with the test, the next one with the set of games.
            const auto reader = store::file_store(path)->reader();
            store::FittingGames fitting(*reader->local(), filter, stop);
            REQUIRE(fitting.prefers_fact_test());
            CHECK(test::text_of(reader->engine().tree(targets, filter, lists, {})) == tree);
            const bool is_new = fitting.prefers_fact_test();
            tested += !is_new && !has_a_set(*reader->local(), filter, stop) ? 1 : 0;
            CHECK(test::text_of(reader->engine().counts(questions, filter, {})) == counts);
        }
        const auto reader = store::file_store(path)->reader();
        CHECK(test::text_of(reader->engine().counts(questions, filter, {})) == counts);
        CHECK(test::text_of(reader->engine().tree(targets, filter, lists, {})) == tree);
    }
    CHECK(tested > kRounds / 2);
}
