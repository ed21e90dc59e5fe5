#include "base/recycled_blocks.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using namespace fendex;
using Buffer = std::vector<std::uint64_t, base::RecycledBlocks<std::uint64_t>>;

/// More than a block needs to be kept.
constexpr std::size_t kMany = 100'000;

}  // namespace

TEST_CASE("A freed block is taken for the next buffer of its size, and for no other") {
    Buffer buffer(kMany);
    const std::uint64_t* const before = buffer.data();
    Buffer().swap(buffer);
    Buffer smaller(kMany / 3);
    CHECK(smaller.data() != before);
    CHECK(Buffer(kMany - 5).data() == before);
    // It stays while others are freed, but not for ever.
    Buffer().swap(smaller);
    CHECK(Buffer(kMany).data() == before);
}

TEST_CASE("Buffers of several threads are their own, whatever their sizes") {
    const auto fill = [](std::uint64_t seed, std::uint64_t& wrong) {
        for (std::uint64_t i = 0; i < 300; ++i) {
            const std::size_t size = kMany / 8 * (1 + (seed + i) % 9);
            Buffer first(size);
            std::iota(first.begin(), first.end(), seed + i);
            Buffer second(size / 2, seed);
            second.push_back(i);
            for (std::size_t k = 0; k < size; k += 97) wrong += first[k] != seed + i + k ? 1U : 0U;
            wrong += second.front() != seed || second.back() != i ? 1U : 0U;
        }
    };
    std::vector<std::uint64_t> wrong(4);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        threads.emplace_back(fill, i * 1'000'003, std::ref(wrong[i]));
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == std::vector<std::uint64_t>(4));
}
