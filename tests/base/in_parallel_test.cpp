#include "base/in_parallel.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <stdexcept>

using fendex::base::in_parallel;

TEST_CASE("Every piece is worked on once, whatever the number of threads") {
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        for (const std::size_t pieces : {0U, 1U, 2U, 100U}) {
            std::vector<std::atomic<int>> calls(pieces);
            std::atomic<bool> is_sane = true;
            in_parallel(pieces, threads, [&](std::size_t piece, unsigned thread) {
                ++calls.at(piece);
                if (thread >= threads) is_sane = false;
            });
            CHECK(is_sane);
            for (const auto& each : calls) CHECK(each == 1);
        }
    }
}

TEST_CASE("An exception of any thread reaches the caller, and no more pieces are begun") {
    for (const unsigned threads : {1U, 3U}) {
        std::atomic<int> calls = 0;
        const auto fail = [&](std::size_t, unsigned) {
            ++calls;
            throw std::runtime_error("no");
        };
        CHECK_THROWS_AS(in_parallel(1000, threads, fail), std::runtime_error);
        CHECK(calls <= static_cast<int>(threads));
    }
}
