#include "store/snapshot_cache.hpp"

#include <catch2/catch.hpp>

using fendex::store::SnapshotCache;

namespace {

std::shared_ptr<const int> number(int value) { return std::make_shared<const int>(value); }

}  // namespace

TEST_CASE("A snapshot cache drops the values that were not used for the longest time") {
    SnapshotCache cache(100);
    cache.put("a", number(1), 40);
    cache.put("b", number(2), 40);
    cache.put("c", number(3), 20);
    CHECK(*cache.get<int>("a") == 1);
    CHECK(cache.get<unsigned>("a") == nullptr);  // another type
    cache.put("d", number(4), 10);
    CHECK(cache.get<int>("b") == nullptr);
    REQUIRE(cache.get<int>("a") != nullptr);
    CHECK(*cache.get<int>("c") == 3);
    CHECK(*cache.get<int>("d") == 4);
    // There is room for 30 more beside a, c and d: the rest must come from a, the oldest.
    cache.put("e", number(5), 31);
    CHECK(cache.get<int>("a") == nullptr);
    CHECK(cache.get<int>("c") != nullptr);
    cache.put("f", number(6), 100);
    for (const char* const name : {"c", "d", "e"}) CHECK(cache.get<int>(name) == nullptr);
    CHECK(*cache.get<int>("f") == 6);
    CHECK(cache.counts().missed == 6);
    CHECK(cache.counts().found == 6);
}

TEST_CASE("A snapshot cache replaces a value of the same name and counts its bytes anew") {
    SnapshotCache cache(100);
    cache.put("a", number(1), 90);
    cache.put("a", number(2), 30);
    cache.put("b", number(3), 70);
    CHECK(*cache.get<int>("a") == 2);
    CHECK(*cache.get<int>("b") == 3);
    // A value that is larger than the snapshot cache leaves the others alone.
    cache.put("c", number(4), 101);
    CHECK(cache.get<int>("c") == nullptr);
    CHECK(*cache.get<int>("a") == 2);
    CHECK(*cache.get<int>("b") == 3);
}

TEST_CASE("A value may be used after the snapshot cache has dropped it") {
    SnapshotCache cache(10);
    cache.put("a", number(1), 10);
    const auto kept = cache.get<int>("a");
    std::weak_ptr<const int> dropped;
    {
        const auto value = number(2);
        dropped = value;
        cache.put("b", value, 10);
    }
    cache.put("c", number(3), 10);
    CHECK(*kept == 1);
    CHECK(dropped.expired());
}
