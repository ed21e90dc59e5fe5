// Games and filters for tests of fine sums.
#pragma once

#include <catch2/catch.hpp>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "chess/san.hpp"
#include "store/rating_groups.hpp"
#include "store/sqlite/engine/fine_sums.hpp"
#include "store/store_fixtures.hpp"
#include "support/engine_comparison.hpp"

namespace fendex::test {

inline constexpr std::uint32_t kDates[] = {0,          20'190'000, 20'190'100,
                                           20'190'131, 20'190'300, 20'190'315,
                                           20'191'231, 20'200'101, 20'200'229};

inline std::uint16_t random_elo(Random& random) {
    return static_cast<std::uint16_t>(random() % 5 == 0 ? 0 : 1850 + random() % 400);
}

/// A game that begins in the start position. A third come back to it, once or twice.
inline TestGame random_returning_game(Random& random, unsigned variety) {
    TestGame game = random_game_of(random, 1 + static_cast<unsigned>(random() % 3), variety);
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

inline store::NumberRange random_dates(Random& random) {
    constexpr std::uint32_t kBounds[] = {0,          20'190'000, 20'190'101, 20'190'199,
                                         20'190'310, 20'191'299, 20'200'200, 20'209'999};
    std::uint32_t low = kBounds[random() % std::size(kBounds)];
    std::uint32_t high = kBounds[random() % std::size(kBounds)];
    if (low > high) std::swap(low, high);
    return {low, high};
}

inline store::GameFilter random_explorer_filter(Random& random) {
    store::GameFilter filter;
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
    if (random() % 3 == 0 || filter == store::GameFilter{}) {
        filter.variant = static_cast<chess::Variant>(random() % 2);
    }
    return filter;
}

/// Games of few kinds, so that sums pay: half of them return to the start position.
inline std::vector<TestGame> few_kinds_of_games(Random& random, int count) {
    std::vector<TestGame> games;
    for (int i = 0; i < count; ++i) {
        TestGame& game = games.emplace_back(random_returning_game(random, 2));
        game.facts.date = kDates[2 + random() % 3];
        game.facts.mode = static_cast<codec::Mode>(random() % 3 == 0 ? 1 : 0);
        game.facts.time_class = codec::TimeClass::kBlitz;
        game.facts.white_elo = static_cast<std::uint16_t>(random() % 9 == 0 ? 0 : 1900);
        game.facts.black_elo = static_cast<std::uint16_t>(1850 + random() % 200);
    }
    return games;
}

/// Asks random questions about the start position, each of a new reader, and compares the answers
/// with those of a store that looks at each game. Returns how many were answered from sums.
inline int compare_with_brute_store(const std::string& path, Random& random, int rounds) {
    const auto brute = brute_store(path);
    const auto expected = brute->reader();
    const auto targets = targets_of(chess::AnyPosition(), query::Match::kExact);
    base::StopCheck stop({});
    int answered = 0;
    for (int i = 0; i < rounds; ++i) {
        const auto reader = store::file_store(path)->reader();
        const store::GameFilter filter = random_explorer_filter(random);
        const store::Engine::TreeLists lists{.most = random() % 4};
        answered += fine_answer(*reader->local(), targets, filter, {lists.most}, stop) ? 1 : 0;
        CHECK(text_of(reader->engine().tree(targets, filter, lists, {})) ==
              text_of(expected->engine().tree(targets, filter, lists, {})));
        const std::vector<std::vector<store::Engine::Target>> questions{targets};
        CHECK(text_of(reader->engine().counts(questions, filter, {})) ==
              text_of(expected->engine().counts(questions, filter, {})));
        CHECK(text_of(reader->engine().months(targets, filter, {})) ==
              text_of(expected->engine().months(targets, filter, {})));
    }
    return answered;
}

}  // namespace fendex::test
