// Sorting in limited memory: the same result as std::sort, for any number of threads and any amount
// of spilling.
#include "store/posting_sorter.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <random>
#include <set>
#include <thread>

#include "store/store_error.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using codec::Posting;
using store::PostingSorter;
using Random = std::mt19937_64;

enum class Keys { kRandom, kFew, kOnePartition, kOneKey, kClose, kSorted };

std::vector<Posting> some_postings(Random& random, std::size_t count, Keys kind) {
    std::vector<Posting> postings;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t key = random();
        switch (kind) {
            case Keys::kRandom: break;
            case Keys::kFew: key = (key % 7) * 0x2468ACE013579BDFULL; break;
            case Keys::kOnePartition: key = key >> 8 | 0x5500000000000000ULL; break;
            case Keys::kOneKey: key = 42; break;
            case Keys::kClose: key = ~std::uint64_t{0} - key % 1000; break;
            case Keys::kSorted: key = i * 0x1000000001ULL; break;
        }
        const auto next = chess::Move::from_bits(static_cast<std::uint16_t>(random() % 5 * 13'107));
        postings.emplace_back(key, next, static_cast<std::uint32_t>(random() % Posting::kMaxGames),
                              static_cast<std::uint32_t>(random() % 300));
    }
    return postings;
}

constexpr Keys kAllKinds[] = {Keys::kRandom, Keys::kFew,   Keys::kOnePartition,
                              Keys::kOneKey, Keys::kClose, Keys::kSorted};

/// Feeds the postings from so many threads and takes them with as many.
std::vector<Posting> sorted_by(PostingSorter& sorter, const std::vector<Posting>& postings,
                               unsigned threads) {
    {
        std::vector<std::thread> feeding;
        for (unsigned t = 0; t < threads; ++t) {
            feeding.emplace_back([&, t] {
                for (std::size_t i = t; i < postings.size(); i += threads) {
                    sorter.feeder(t).add(postings[i]);
                }
            });
        }
        for (std::thread& each : feeding) each.join();
    }
    CHECK(sorter.close() == postings.size());
    std::vector<std::vector<Posting>> parts(PostingSorter::kPartitions);
    {
        std::vector<std::thread> taking;
        for (unsigned t = 0; t < threads; ++t) {
            taking.emplace_back([&, t] {
                for (unsigned p = t; p < PostingSorter::kPartitions; p += threads) {
                    parts[p] = sorter.take(p);
                }
            });
        }
        for (std::thread& each : taking) each.join();
    }
    std::vector<Posting> all;
    for (unsigned p = 0; p < PostingSorter::kPartitions; ++p) {
        for (const Posting& posting : parts[p]) {
            if (posting.key >> 56 != p) FAIL("a posting is in another's partition");
            all.push_back(posting);
        }
    }
    return all;
}

}  // namespace

TEST_CASE("sort_records() sorts as std::sort does") {
    Random random(51);
    for (const Keys kind : kAllKinds) {
        for (const std::size_t count : {0U, 1U, 2U, 23U, 24U, 25U, 26U, 100U, 1000U, 70'000U}) {
            std::vector<Posting> postings = some_postings(random, count, kind);
            std::vector<Posting> expected = postings;
            std::sort(expected.begin(), expected.end());
            store::sort_records(postings);
            CAPTURE(count, static_cast<int>(kind));
            CHECK((postings == expected));
        }
    }
}

TEST_CASE("Postings are returned sorted, with any memory and any number of threads", "[full]") {
    Random random(52);
    const test::TemporaryDirectory directory;
    std::size_t round = 0;
    for (const Keys kind : kAllKinds) {
        for (const std::size_t memory :
             {std::size_t{0}, std::size_t{300'000}, std::size_t{1} << 26}) {
            for (const unsigned threads : {1U, 3U}) {
                for (const std::size_t count : {std::size_t{5}, std::size_t{60'000}}) {
                    const std::size_t number = round++;
                    if (test::left_out(number, 5) || test::left_to_full_size(number, 5)) continue;
                    std::vector<Posting> postings = some_postings(random, count, kind);
                    PostingSorter sorter(memory, threads, directory.path());
                    const std::vector<Posting> sorted = sorted_by(sorter, postings, threads);
                    std::sort(postings.begin(), postings.end());
                    CAPTURE(count, memory, threads, static_cast<int>(kind));
                    CHECK((sorted == postings));
                }
            }
        }
    }
    // The temporary files have no names.
    CHECK(std::filesystem::is_empty(directory.path()));
}

TEST_CASE("A sorter can be used again after it is cleared") {
    Random random(54);
    const test::TemporaryDirectory directory;
    for (const std::size_t memory : {std::size_t{300'000}, std::size_t{1} << 26}) {
        PostingSorter sorter(memory, 2, directory.path());
        for (const Keys kind : {Keys::kRandom, Keys::kOneKey, Keys::kFew}) {
            // What was not taken is forgotten.
            for (const Posting& posting : some_postings(random, 9'000, Keys::kRandom)) {
                sorter.feeder(1).add(posting);
            }
            sorter.clear();
            CHECK(sorter.largest_partition() == 0);
            std::vector<Posting> postings = some_postings(random, 30'000, kind);
            CAPTURE(memory, static_cast<int>(kind));
            const std::vector<Posting> sorted = sorted_by(sorter, postings, 2);
            std::sort(postings.begin(), postings.end());
            CHECK((sorted == postings));
            sorter.clear();
        }
    }
}

TEST_CASE("A sorter knows its largest partition, apart from unfinished buffers") {
    const test::TemporaryDirectory directory;
    PostingSorter sorter(1 << 20, 2, directory.path());
    for (std::uint32_t i = 0; i < 40'000; ++i) {
        sorter.feeder(i % 2).add({i % 4 == 0 ? std::uint64_t{i} << 48 : 42, {}, i, 0});
    }
    constexpr std::size_t kLargest = 30'000 + 256 / 4;
    CHECK(sorter.largest_partition() <= kLargest);
    CHECK(sorter.largest_partition() > kLargest - 300);
    sorter.close();
    CHECK(sorter.partition_size(0) == kLargest);
}

TEST_CASE("Reused block memory gives the same addresses again") {
    store::BlockMemory memory;
    const auto places = [&] {
        std::vector<void*> out;
        for (std::size_t i = 1; i <= 200; ++i) out.push_back(memory.take(i * 256));
        return out;
    };
    const std::vector<void*> first = places();
    CHECK(std::set<void*>(first.begin(), first.end()).size() == 200);
    memory.reuse();
    CHECK(places() == first);
    memory.take(store::BlockMemory::kBlockBytes);
    memory.reuse();
    CHECK(places() == first);
}

TEST_CASE("A feeder may remain unused") {
    const test::TemporaryDirectory directory;
    PostingSorter nothing(1 << 20, 4, directory.path());
    CHECK(nothing.close() == 0);
    for (unsigned p = 0; p < PostingSorter::kPartitions; ++p) CHECK(nothing.take(p).empty());
    PostingSorter one(1 << 20, 4, directory.path());
    one.feeder(2).add(Posting(std::uint64_t{7} << 56, chess::Move::null(), 3, 4));
    CHECK(one.close() == 1);
    CHECK(one.take(7).size() == 1);
    CHECK(one.take(7).empty());
}

TEST_CASE("A directory that cannot be written to is an error that names it") {
    PostingSorter sorter(0, 1, "/nonexistent/directory");
    Random random(53);
    CHECK_THROWS_WITH(
        [&] {
            for (const Posting& posting : some_postings(random, 100'000, Keys::kRandom)) {
                sorter.feeder(0).add(posting);
            }
        }(),
        Catch::Contains("/nonexistent/directory") && Catch::Contains("temporary file"));
}

TEST_CASE("A disk too small for the temporary file is an error that says so") {
    const test::TemporaryDirectory directory;
    // The limit of file sizes, which any user can set, makes writes fail.
    rlimit before{};
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
    for (const rlim_t bytes : {0U, 1000U, 100'000U}) {
        CAPTURE(bytes);
        rlimit small = before;
        small.rlim_cur = bytes;
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
        std::string message;
        try {
            Random random(5);
            PostingSorter sorter(1 << 12, 1, directory.path());
            for (const Posting& posting : some_postings(random, 500'000, Keys::kRandom)) {
                sorter.feeder(0).add(posting);
            }
        } catch (const store::StoreError& error) {
            message = error.what();
        }
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
        CHECK_THAT(message, Catch::Contains(directory.path()) &&
                                Catch::Contains("cannot write a temporary file: File too large"));
    }
    std::signal(SIGXFSZ, old_handler);
}

TEST_CASE("Games are numbered from a sorter's first game, past the limit of numbers in a posting") {
    const test::TemporaryDirectory directory;
    for (const std::uint64_t first :
         {1ULL, 1000ULL, Posting::kMaxGames - 3ULL, 5ULL * Posting::kMaxGames - 700}) {
        PostingSorter sorter(1 << 12, 1, directory.path());
        std::vector<Posting> expected;
        for (std::uint32_t game = 0; game < 1500; ++game) {
            const chess::Move move = chess::Move::from_bits(game % 2 == 0 ? 0xFFFF : 0);
            sorter.feeder(0).add(
                {game % 3, move, Posting::game_number(first + game), Posting::kMaxPly});
            expected.emplace_back(game % 3, move, game, Posting::kMaxPly);
        }
        sorter.feeder(0).add({7, {}, Posting::game_number(first + Posting::kMaxGames - 1), 0});
        expected.emplace_back(7, chess::Move{}, Posting::kMaxGames - 1, 0);
        CHECK(sorter.close(Posting::game_number(first)) == expected.size());
        std::sort(expected.begin(), expected.end());
        CHECK((sorter.take(0) == expected));
    }
}
