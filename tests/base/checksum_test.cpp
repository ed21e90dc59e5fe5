// Checksums of stored bytes. Do not change the numbers: they are on disk.
#include "base/checksum.hpp"

#include <catch2/catch.hpp>

using namespace fendex::base;

TEST_CASE("A checksum is the lower half of XXH3-64, with a seed") {
    CHECK(checksum("", 0) == 0x38D394C2U);
    CHECK(checksum("abc", 7) == 0x69E39912U);
    std::string bytes = "abc";
    seal(bytes, 7);
    CHECK(bytes.size() == 7);
    CHECK(unseal(bytes, 7) == "abc");
    CHECK_FALSE(unseal(bytes, 8));
    CHECK_FALSE(unseal("abc", 7));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] ^= 1;
        CHECK_FALSE(unseal(damaged, 7));
    }
}

TEST_CASE("A seed changes with each of its numbers and with their order") {
    CHECK(checksum_seed({}) == 0);
    CHECK(checksum_seed({1, 2}) != checksum_seed({2, 1}));
    CHECK(checksum_seed({1}) != checksum_seed({2}));
    static_assert(checksum_seed({1}) == (0x9E3779B97F4A7C15 ^ 0x9E3779B97F4A7C15 >> 32));
}
