#include "store/sqlite/engine/fine_sums.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <numeric>

#include "store/fine_sums_fixtures.hpp"
#include "store/sqlite/file/connection.hpp"
#include "support/delete_games.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using store::GameFilter;
using test::Random;

void run(const std::string& path, const std::string& sql) {
    store::Connection(path, store::Connection::Mode::kReadWrite).run(sql);
}

std::int64_t integer(const std::string& path, const std::string& sql) {
    return store::Connection(path, store::Connection::Mode::kReadOnly).integer(sql).value();
}

}  // namespace

TEST_CASE("Filters of an explorer are answered from sums, as if each game was looked at") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    Random random(11);
    std::vector<test::TestGame> games;
    for (int i = 0; i < 4000; ++i) games.push_back(test::random_returning_game(random, 4));
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
    // There are too many different games for sums in the file.
    const auto answer = [&](const GameFilter& filter, std::size_t named_games) {
        return fine_answer(*reader->local(), targets, filter, {named_games}, stop);
    };
    CHECK_FALSE(answer({}, 15));
    const auto fine = answer({}, 15);
    REQUIRE(fine);
    std::uint64_t again = 0;
    for (const codec::FineSum* const sum : fine->again) again += sum->tally.games;
    CHECK(again > 100);

    int answered = 0;
    for (int i = 0; i < 150; ++i) {
        const GameFilter filter = test::random_explorer_filter(random);
        const store::Engine::TreeLists lists{.most = random() % 2 == 0 ? 4U : 16U};
        answered += answer(filter, lists.most) ? 1 : 0;
        CHECK(test::text_of(reader->engine().tree(targets, filter, lists, {})) ==
              test::text_of(expected->engine().tree(targets, filter, lists, {})));
    }
    CHECK(answered > 30);
}

namespace {

/// Two segments that have sums, one that is too small for them, and games in none.
struct GamesWithSums {
    GamesWithSums() {
        Random random(12);
        test::store_games(path, test::few_kinds_of_games(random, 6000), true);
        test::store_games(path, test::few_kinds_of_games(random, 1000), true);
        test::store_games(path, test::few_kinds_of_games(random, 5000), true);
        test::store_games(path, test::few_kinds_of_games(random, 20), false);
    }

    test::TemporaryDirectory directory;
    std::string path = directory / "games.db";
};

}  // namespace

TEST_CASE("Sums in the file answer the first question, as if each game was looked at", "[full]") {
    static const GamesWithSums original;  // of all sections
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    std::filesystem::copy_file(original.path, path);
    Random random(13);
    const auto rows = [&] { return integer(path, "SELECT count(DISTINCT segment) FROM fine_sum"); };
    REQUIRE(rows() == 2);
    const int rounds = test::fewer(test::at_size(16, 40), 4);
    const auto are_answered = [&] {
        return test::compare_with_brute_store(path, random, rounds) > rounds * 3 / 8;
    };

    SECTION("as they were stored") { CHECK(are_answered()); }
    SECTION("after games were deleted") {
        test::delete_games(path, {7, 8, 1000, 2999, 6500, 7001, 8000});
        CHECK(are_answered());
        std::vector<store::GameId> all(6000);
        std::iota(all.begin(), all.end(), 1);
        test::delete_games(path, all);
        CHECK(are_answered());
    }
    SECTION("but not with a summary that another program has changed") {
        run(path, "CREATE TABLE old AS SELECT * FROM fine_sum");
        test::delete_games(path, {7, 8, 1000, 2999, 6500, 7001, 8000});
        run(path, "REPLACE INTO fine_sum SELECT * FROM old; DROP TABLE old");
        CHECK(are_answered());  // from sums that were made for the answers
    }
    SECTION("and are removed with their segment") {
        const auto writer = store::open_sqlite_writer(path);
        CHECK(writer->maintain({.reindex = true}));
        writer->close();
        CHECK(rows() == 1);
        CHECK(integer(path,
                      "SELECT count(*) FROM fine_sum WHERE segment NOT IN"
                      " (SELECT id FROM segment)") == 0);
        CHECK(are_answered());
    }
}

TEST_CASE("Parts of the index of which only some games fit are scanned, the others summed up",
          "[full]") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    Random random(13);
    constexpr std::uint32_t kDays = 2;  // of each part; the third one is of two months
    constexpr std::uint32_t kParts = 5;
    const auto day = [&](std::uint64_t number) {
        const auto day_of_january = static_cast<std::uint32_t>(number) + 26;
        return day_of_january < 32 ? 20'190'100 + day_of_january : 20'190'200 + day_of_january - 31;
    };
    for (std::uint32_t part = 0; part < kParts; ++part) {
        auto games = test::few_kinds_of_games(random, 5000);
        for (test::TestGame& game : games) {
            game.facts.date = codec::Date(day(kDays * part + 1 + random() % kDays));
        }
        test::store_games(path, games, true);
    }
    test::store_games(path, test::few_kinds_of_games(random, 20), false);
    REQUIRE(integer(path, "SELECT count(DISTINCT segment) FROM fine_sum") == kParts);
    const auto targets = test::targets_of(chess::AnyPosition(), query::Match::kExact);
    base::StopCheck stop({});
    int scanned = 0;
    int summed = 0;
    const int rounds = test::fewer(test::at_size(15, 30), 3);
    for (int i = 0; i < rounds; ++i) {
        if (i == rounds / 2) {
            test::delete_games(path, {7, 8, 1000, 5000, 5001, 7001, 14'000});
        }
        const auto reader = store::file_store(path)->reader();
        const auto brute = test::brute_store(path);
        const auto expected = brute->reader();
        GameFilter filter;
        const auto some_day = [&] { return day(random() % (kDays * kParts + 3)); };
        if (i % 3 != 0) filter.date.low = some_day();
        if (i % 3 != 1) filter.date.high = std::max(filter.date.low, some_day());
        if (i % 4 == 0) filter.mode = codec::Mode::kRated;
        if (i % 7 == 0) filter.mean_elo = {{1900, 1950}};
        const store::Engine::TreeLists lists{.most = random() % 4};
        const auto fine = fine_answer(*reader->local(), targets, filter,
                                      {.named_games = lists.most, .may_leave_out = true}, stop);
        if (fine) ++(fine->left_out.empty() ? summed : scanned);
        if (fine) CHECK(fine->left_out.size() < kParts);
        CHECK(test::text_of(reader->engine().tree(targets, filter, lists, {})) ==
              test::text_of(expected->engine().tree(targets, filter, lists, {})));
        const std::vector<std::vector<store::Engine::Target>> questions{targets};
        CHECK(test::text_of(reader->engine().counts(questions, filter, {})) ==
              test::text_of(expected->engine().counts(questions, filter, {})));
    }
    CHECK(scanned > rounds / 7);
    CHECK(summed > rounds / 15);
}

TEST_CASE("Sums are for filters that compare nothing else") {
    GameFilter filter;
    filter.date.low = 20'200'000;
    filter.mean_elo = {{2000, 2199}};
    CHECK(store::is_for_fine_sums(filter));
    filter.result = codec::Result::kDraw;
    CHECK_FALSE(store::is_for_fine_sums(filter));
}
