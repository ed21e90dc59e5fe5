#include "store/sqlite/caches/shared_chunks.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace fendex::store;

namespace {

ChunkBytes read_chunk(const std::string& bytes) {
    const auto owner = std::make_shared<const std::string>(bytes);
    return {owner, *owner};
}

}  // namespace

TEST_CASE("Shared chunks are found again, and stay valid when others replace them") {
    using enum SharedChunks::Reading;
    constexpr std::size_t kMostBytes = std::size_t{8} << 20;
    SharedChunks chunks;
    CHECK_FALSE(chunks.find(0).owner);
    // A chunk may be larger than the blocks in which chunks are kept.
    const std::string large(std::size_t{3} << 20, 'x');
    const ChunkBytes read = read_chunk(large);
    CHECK(chunks.add(0, read, kMostBytes, kAtRandom).bytes.data() == read.bytes.data());
    CHECK(chunks.find(0).bytes.data() == read.bytes.data());
    const ChunkBytes first = chunks.add(0, read, kMostBytes, kAtRandom);
    CHECK(first.bytes.data() != read.bytes.data());
    CHECK((first.bytes == large));
    const std::string small(50'000, 'y');
    const auto add_twice = [&](std::uint64_t number) {
        CHECK((chunks.add(number, read_chunk(small), kMostBytes, kAtRandom).bytes == small));
        CHECK((chunks.add(number, read_chunk(small), kMostBytes, kAtRandom).bytes == small));
    };
    std::uint64_t number = 1;
    for (; chunks.find(0).bytes.data() == first.bytes.data(); ++number) add_twice(number);
    CHECK(number > 100);
    CHECK((first.bytes == large));
    // The half that was kept later is still there.
    CHECK((chunks.find(number - 2).bytes == small));
    CHECK((chunks.find(number - 1).bytes == small));
    CHECK_FALSE(chunks.find(1).owner);
    // What is there is not copied again.
    const ChunkBytes known = chunks.find(number - 1);
    CHECK(chunks.add(number - 1, read, 0, kAtRandom).bytes.data() == known.bytes.data());
    CHECK(chunks.add(1, read_chunk(""), kMostBytes, kAtRandom).owner);
    CHECK(chunks.find(1).bytes.empty());
}

TEST_CASE("Memory of shared chunks is used again only if nobody reads from it") {
    using enum SharedChunks::Reading;
    constexpr std::size_t kMostBytes = std::size_t{8} << 20;
    SharedChunks chunks;
    std::vector<ChunkBytes> held;
    for (std::uint64_t number = 0; number < 2000; ++number) {
        const std::string bytes(50'000, static_cast<char>(number % 251));
        for (int i = 0; i < 2; ++i) {
            const ChunkBytes added = chunks.add(number, read_chunk(bytes), kMostBytes, kAtRandom);
            CHECK((added.bytes == bytes));
        }
        if (number % 400 == 0) held.push_back(chunks.find(number));
        if (number == 1200) held.erase(held.begin());
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
        const char expected = static_cast<char>(400 * (i + 1) % 251);
        CHECK(held[i].bytes.find_first_not_of(expected) == std::string_view::npos);
    }
}

TEST_CASE("Shared chunks that are read in turn are kept from the third time on, if there is room") {
    using enum SharedChunks::Reading;
    constexpr std::size_t kMostBytes = 400;
    constexpr std::uint64_t kChunks = 100;
    SharedChunks chunks;
    const std::string bytes(10, 'x');
    const auto read_all = [&] {
        for (std::uint64_t chunk = 0; chunk < kChunks; ++chunk) {
            if (chunks.find(chunk).owner) continue;
            CHECK(chunks.add(chunk, read_chunk(bytes), kMostBytes, kInTurn).bytes == bytes);
            CHECK(chunks.find(chunk).bytes == bytes);
        }
        CHECK(chunks.find(kChunks - 1).bytes == bytes);
        std::uint64_t kept = 0;
        while (chunks.find(kept).owner) ++kept;
        return kept;
    };
    CHECK(read_all() == 0);
    CHECK(read_all() == 0);
    CHECK(read_all() == kMostBytes / bytes.size());
}
