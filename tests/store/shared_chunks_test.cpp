#include "store/sqlite/caches/shared_chunks.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace fendex::store;

TEST_CASE("Shared chunks are found again, and stay valid when others replace them") {
    using IfFull = SharedChunks::IfFull;
    SharedChunks chunks;
    CHECK_FALSE(chunks.find(0).owner);
    // A chunk may be larger than the blocks in which chunks are kept.
    const std::string large(std::size_t{3} << 20, 'x');
    const ChunkBytes first = chunks.add(0, large, 8 << 20, IfFull::kKeepOthers);
    REQUIRE(first.owner);
    CHECK(first.bytes.data() != large.data());
    CHECK((first.bytes == large));
    const std::string small(50'000, 'y');
    std::uint64_t number = 1;
    while (chunks.add(number, small, 8 << 20, IfFull::kKeepOthers).owner) ++number;
    CHECK(number > 100);
    CHECK_FALSE(chunks.find(number).owner);
    CHECK((chunks.find(0).bytes == large));
    CHECK((chunks.find(number - 1).bytes == small));
    // What is there is not copied again.
    CHECK(chunks.add(0, small, 0, IfFull::kForgetAll).bytes.data() == first.bytes.data());
    CHECK(chunks.add(number, "new", 8 << 20, IfFull::kForgetAll).bytes == "new");
    CHECK_FALSE(chunks.find(0).owner);
    CHECK((first.bytes == large));
    CHECK(chunks.add(1, "", 8 << 20, IfFull::kForgetAll).owner);
    CHECK(chunks.find(1).bytes.empty());
}
