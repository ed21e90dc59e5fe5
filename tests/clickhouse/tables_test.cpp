#include "clickhouse/tables.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "clickhouse/schema.hpp"
#include "clickhouse/servers.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;
using clickhouse::table_named;

}  // namespace

TEST_CASE("Statements fit old and new servers, one server and clusters") {
    const clickhouse::Table& posting = table_named("posting");
    CHECK(posting.shard_by == "key");
    const std::string old = clickhouse::create_local(posting, false, false);
    CHECK(old.find("CREATE TABLE IF NOT EXISTS posting (push UInt32, key UInt64, next UInt16, ") ==
          0);
    CHECK(old.find("CODEC") == std::string::npos);
    CHECK(old.find("LowCardinality") == std::string::npos);
    CHECK(old.find("sign Int8) ENGINE = MergeTree PARTITION BY push ORDER BY (key, next, game, "
                   "ply)") != std::string::npos);
    const std::string current = clickhouse::create_local(posting, true, true);
    CHECK(current.find("IF NOT EXISTS posting_shard (push UInt32, key UInt64 CODEC(Delta, T64, "
                       "ZSTD), ") != std::string::npos);
    CHECK(current.find("date LowCardinality(UInt32) CODEC(ZSTD(3)), ") != std::string::npos);
    CHECK(clickhouse::create_distributed(table_named("name"), "two", "chess") ==
          "CREATE TABLE IF NOT EXISTS name AS name_shard ENGINE = Distributed(`two`, chess, "
          "name_shard, cityHash64(name))");
}

TEST_CASE("Each table has a sharding key, and all but the ledger are partitioned by push") {
    for (const clickhouse::Table& table : clickhouse::tables()) {
        INFO(table.name);
        CHECK_FALSE(table.shard_by.empty());
        CHECK_FALSE(table.columns.empty());
        const bool of_pushes = table.engine.find("PARTITION BY push") != std::string::npos;
        CHECK(of_pushes == (table.name != "origin" && table.name != "push"));
    }
}

TEST_CASE("Tables are made on every host and may be made again", "[clickhouse]") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    Connection entry = database.connect();
    CHECK_FALSE(clickhouse::layout_of_tables(entry));
    clickhouse::Servers hosts = clickhouse::connect_to_servers(entry, database.cluster());
    CHECK(hosts.present.size() == database.hosts().size());
    for (int i = 0; i < 2; ++i) clickhouse::create_tables(hosts, database.cluster());
    CHECK(clickhouse::layout_of_tables(entry)->cluster == database.cluster());
    for (auto& [place, host] : hosts.present) clickhouse::require_tables(host);
    clickhouse::insert_rows(entry, "taken_back", {});
    clickhouse::RowWriter rows;
    for (std::uint32_t push = 1; push <= 10; ++push) {
        rows.u32(push);
        rows.u64(push);
    }
    clickhouse::insert_rows(entry, "taken_back", rows.bytes());
    for (auto& [place, host] : hosts.present) {
        std::uint64_t count = 0;
        host.query("SELECT count() FROM taken_back",
                   [&](clickhouse::RowReader& row) { count = row.u64(); });
        CHECK(count == 10);
    }
}

TEST_CASE("An unknown name of a cluster is an error", "[clickhouse]") {
    const TestDatabase database(GENERATE(kOneServer, kNewEngine));
    if (!database.is_there()) return;
    Connection entry = database.connect();
    CHECK_THROWS_WITH(clickhouse::connect_to_servers(entry, "nowhere' OR 1 = 1"),
                      Catch::Contains("know no cluster 'nowhere' OR 1 = 1'"));
}
