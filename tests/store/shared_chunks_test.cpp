#include "store/sqlite/caches/shared_chunks.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>

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
    const ChunkBytes first = chunks.add(0, read, kMostBytes, kAtRandom);
    CHECK(first.bytes.data() != read.bytes.data());
    CHECK((first.bytes == large));
    const std::string small(50'000, 'y');
    std::uint64_t number = 1;
    for (; chunks.find(0).owner; ++number) {
        CHECK((chunks.add(number, read_chunk(small), kMostBytes, kAtRandom).bytes == small));
    }
    CHECK(number > 100);
    CHECK((first.bytes == large));
    CHECK_FALSE(chunks.find(number - 2).owner);
    CHECK((chunks.find(number - 1).bytes == small));
    // What is there is not copied again.
    const ChunkBytes known = chunks.find(number - 1);
    CHECK(chunks.add(number - 1, read, 0, kAtRandom).bytes.data() == known.bytes.data());
    CHECK(chunks.add(1, read_chunk(""), kMostBytes, kAtRandom).owner);
    CHECK(chunks.find(1).bytes.empty());
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
