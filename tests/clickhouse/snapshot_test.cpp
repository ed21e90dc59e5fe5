// The conditions in SQL that make queries see the complete pushes and nothing else.
#include "clickhouse/snapshot.hpp"

#include <catch2/catch.hpp>
#include <vector>

namespace {

using namespace fendex;
using clickhouse::Snapshot;
using store::GameRange;

Snapshot snapshot_of(const std::vector<Snapshot::Push>& pushes) { return {pushes, 1, 1000}; }

Snapshot::Push push(clickhouse::PushNumber number, const GameRange& games = {}) {
    Snapshot::Push out;
    out.number = number;
    out.range = games;
    return out;
}

}  // namespace

TEST_CASE("Consecutive pushes are a condition on their first and last number", "[clickhouse]") {
    CHECK(snapshot_of({push(1), push(2), push(3), push(9), push(11), push(12)}).sql_pushes() ==
          "(push BETWEEN 1 AND 3 OR push = 9 OR push BETWEEN 11 AND 12)");
    CHECK(snapshot_of({push(7)}).sql_pushes("p.push") == "(p.push = 7)");
    CHECK(snapshot_of({}).sql_pushes() == "(push = 0)");
}

TEST_CASE("A snapshot has conditions on deleted games only if it has some", "[clickhouse]") {
    std::vector<Snapshot::Push> pushes{push(1, {1, 100}), push(2)};
    CHECK(snapshot_of(pushes).sql_and_present().empty());
    CHECK(snapshot_of(pushes).sql_and_added().empty());
    pushes[1].taken_back = 3;
    CHECK(snapshot_of(pushes).sql_and_present("id") ==
          " AND id GLOBAL NOT IN (SELECT game FROM taken_back WHERE (push BETWEEN 1 AND 2))");
    CHECK(snapshot_of(pushes).sql_and_added() == " AND sign = 1");
}

TEST_CASE("Ranges of games ascend and end with the last game", "[clickhouse]") {
    const clickhouse::PushNumber other = clickhouse::push_number(2, 1);
    const store::GameId first = clickhouse::cluster_id(2, 1);
    const Snapshot both = snapshot_of(
        {push(1, {1, 50}), push(2), push(3, {51, 60}), push(other, {first, first + 9})});
    CHECK(both.ranges() == std::vector<GameRange>{{1, 50}, {51, 60}, {first, first + 9}});
    CHECK(both.last_game() == first + 9);
    CHECK(snapshot_of({}).last_game() == 0);
}
