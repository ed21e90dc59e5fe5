#include "store/snapshot_shelf.hpp"

#include <catch2/catch.hpp>

using fendex::store::SnapshotShelf;

namespace {

std::shared_ptr<const int> number(int value) { return std::make_shared<const int>(value); }

}  // namespace

TEST_CASE("A shelf drops the values that were not used for the longest time") {
    SnapshotShelf shelf(100);
    shelf.put("a", number(1), 40);
    shelf.put("b", number(2), 40);
    shelf.put("c", number(3), 20);
    CHECK(*shelf.get<int>("a") == 1);
    CHECK(shelf.get<unsigned>("a") == nullptr);  // another type
    shelf.put("d", number(4), 10);
    CHECK(shelf.get<int>("b") == nullptr);
    REQUIRE(shelf.get<int>("a") != nullptr);
    CHECK(*shelf.get<int>("c") == 3);
    CHECK(*shelf.get<int>("d") == 4);
    // There is room for 30 more beside a, c and d: the rest must come from a, the oldest.
    shelf.put("e", number(5), 31);
    CHECK(shelf.get<int>("a") == nullptr);
    CHECK(shelf.get<int>("c") != nullptr);
    shelf.put("f", number(6), 100);
    for (const char* const name : {"c", "d", "e"}) CHECK(shelf.get<int>(name) == nullptr);
    CHECK(*shelf.get<int>("f") == 6);
    CHECK(shelf.counts().missed == 6);
    CHECK(shelf.counts().found == 6);
}

TEST_CASE("A shelf replaces a value of the same name and counts its bytes anew") {
    SnapshotShelf shelf(100);
    shelf.put("a", number(1), 90);
    shelf.put("a", number(2), 30);
    shelf.put("b", number(3), 70);
    CHECK(*shelf.get<int>("a") == 2);
    CHECK(*shelf.get<int>("b") == 3);
    // A value that is larger than the shelf leaves the others alone.
    shelf.put("c", number(4), 101);
    CHECK(shelf.get<int>("c") == nullptr);
    CHECK(*shelf.get<int>("a") == 2);
    CHECK(*shelf.get<int>("b") == 3);
}

TEST_CASE("A value may be used after the shelf has dropped it") {
    SnapshotShelf shelf(10);
    shelf.put("a", number(1), 10);
    const auto kept = shelf.get<int>("a");
    std::weak_ptr<const int> dropped;
    {
        const auto value = number(2);
        dropped = value;
        shelf.put("b", value, 10);
    }
    shelf.put("c", number(3), 10);
    CHECK(*kept == 1);
    CHECK(dropped.expired());
}
