// A look-up of a position asks the one shard that has it: what the servers' own logs of queries
// say.
#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "clickhouse/ledger.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/servers.hpp"
#include "replay/stored_walk.hpp"
#include "store/engine.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;
using clickhouse::RowReader;
using store::Engine;

/// Queries of a server, and the rows that they read.
struct Asked {
    std::uint64_t queries = 0;
    std::uint64_t rows = 0;
};

/// Returns what a server did for queries with this text since it started, as soon as there are
/// `wanted` of them: a server that has much to do notes a query some time after its answer. What it
/// has after 20 s if that takes longer.
Asked asked_for(const std::string& host, const std::string& text, std::uint64_t wanted = 0) {
    Connection server(clickhouse::parse_url("clickhouse://" + host + "/system"), "");
    Asked out;
    for (int tries = 0; tries == 0 || (out.queries < wanted && tries < 200); ++tries) {
        if (tries != 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        server.run("SYSTEM FLUSH LOGS");
        server.query(
            "SELECT count(), sum(read_rows) FROM system.query_log WHERE type = 2 AND "
            "position(query, '" +
                text + "') > 0 AND position(query, 'query_log') = 0",
            [&](RowReader& row) {
                out.queries = row.u64();
                out.rows = row.u64();
            });
    }
    return out;
}

}  // namespace

TEST_CASE("A look-up of a position asks the shard that has it, and no other", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    // Positions that no other test asks for.
    const std::string game =
        "[White \"W\"]\n\n1. h4 a5 2. Rh3 Ra6 3. Rf3 Rh6 4. Rf6 gxf6 5. h5 f5 "
        "6. g4 f4 7. g5 f3 8. a4 b5 *\n\n";
    must_run({"import", file, "--quiet", folder.write("games.pgn", game + game + game)});
    push(file, database);
    std::vector<std::uint64_t> keys;
    store::StoredMoves moves;
    REQUIRE(store::file_store(file)->reader()->moves(1, moves));
    replay::with_walk(1, moves, [&](auto& walk) {
        for (; !walk.at_end(); walk.advance()) {
            if (walk.ply() >= 3) keys.push_back(walk.position().key());
        }
    });
    const store::Reader reader = clickhouse::open(database.url("logged"), {}, "")->reader();
    Engine& engine = reader->engine();
    std::map<std::uint64_t, int> of_shard;
    for (const std::uint64_t key : keys) {
        if (of_shard[key % 2]++ != 0) continue;
        CAPTURE(key);
        const std::vector<Engine::Target> target{{key, false}};
        const std::string text = std::to_string(key);
        const std::string& host = database.hosts()[key % 2];
        const std::string& other = database.hosts()[1 - key % 2];
        const Asked before = asked_for(host, text);
        const Asked of_other = asked_for(other, text);
        CHECK(engine.counts(std::span(&target, 1), {}, {}).front().games == 3);
        CHECK(engine.reached(target, {}, store::GameOrder::kId, {}, 9, {}).size() == 3);
        CHECK(engine.tree(target, {}, {}, {}).total.games == 3);
        CHECK(engine.months(target, {}, {}).empty());
        CHECK(engine.in_variations(target, {}, 0, 9, {}).empty());
        // The push is known to have no sums, so each question is one query.
        constexpr std::uint64_t kQueries = 5;
        const Asked after = asked_for(host, text, before.queries + kQueries);
        CHECK(after.queries - before.queries == kQueries);
        CHECK(after.rows - before.rows > 0);
        CHECK(after.rows - before.rows < 300);
        CHECK(asked_for(other, text).queries == of_other.queries);
    }
    CHECK(of_shard.size() == 2);

    // As if the rows had been spread over other shards than those of today: they may be anywhere.
    Connection entry = database.connect();
    clickhouse::Ledger ledger(entry);
    clickhouse::PushRecord push = ledger.pushes_of(0).complete.front();
    ++push.sharding;
    for (const std::string& host : database.hosts()) {
        Connection(clickhouse::parse_url("clickhouse://" + host + "/" + database.name()), "")
            .run("ALTER TABLE push_shard DROP PARTITION tuple()");
    }
    ledger.add(std::span(&push, 1));
    const store::Reader other = clickhouse::open(database.url("logged"), {}, "")->reader();
    const std::vector<Engine::Target> target{{keys.back(), false}};
    CHECK(other->engine().counts(std::span(&target, 1), {}, {}).front().games == 3);
    for (const std::string& host : database.hosts()) {
        CHECK(asked_for(host, std::to_string(keys.back()), 1).queries != 0);
    }
}

TEST_CASE("A current server asks only the shard that has a position", "[clickhouse]") {
    const TestDatabase database(kNewEngine);
    if (!database.is_there()) return;
    Connection connection = database.connect();
    std::uint64_t setting = 0;
    const auto is_set = [&] {
        connection.query("SELECT toUInt64(getSetting('optimize_skip_unused_shards'))",
                         [&](RowReader& row) { setting = row.u64(); });
        return setting == 1;
    };
    CHECK_FALSE(is_set());
    connection.skip_shards(true);
    CHECK(is_set());
    // Nothing answers at the shards of the cluster `away`, so the error tells which was asked.
    connection.run(
        "CREATE TABLE posting (push UInt32, key UInt64, game UInt64)"
        " ENGINE = Distributed(away, nowhere, posting_shard, key)");
    const auto error_of = [&](const std::string& condition) {
        return run_process({"curl", "-s",
                            "http://" + database.hosts().front() + "/?database=" + database.name() +
                                "&optimize_skip_unused_shards=1",
                            "--data", "SELECT game FROM posting WHERE " + condition})
            .out;
    };
    const std::string rest = " AND (push BETWEEN 1 AND 3 OR push = 9) AND game > 0";
    const std::string one = "127.0.0.1:9";
    const std::string two = "127.0.0.2:9";
    CHECK_THAT(error_of("key IN (4)" + rest), Catch::Contains(one) && !Catch::Contains(two));
    CHECK_THAT(error_of("key IN (5)" + rest), Catch::Contains(two) && !Catch::Contains(one));
    CHECK_THAT(error_of("key IN (5,7)" + rest), Catch::Contains(two) && !Catch::Contains(one));
    CHECK_THAT(error_of("((key IN (5) AND (push = 1)) OR (key IN (7) AND (push = 2)))" + rest),
               Catch::Contains(two) && !Catch::Contains(one));
}

TEST_CASE("The manual's SQL runs on one server and on a cluster", "[clickhouse]") {
    const TestDatabase database(GENERATE(kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    must_run({"import", file, "--quiet", FENDEX_SAMPLES "/classics.pgn"});
    push(file, database);
    const std::string manual = read_file(FENDEX_SAMPLES "/manual/cluster.md");
    const std::string begin = "```sql\n";
    const std::size_t from = manual.find(begin) + begin.size();
    Connection connection = database.connect();
    std::uint64_t games = 0;
    connection.query(manual.substr(from, manual.find("```", from) - from), [&](RowReader& row) {
        row.u16();
        games += static_cast<std::uint64_t>(row.i64());
    });
    const store::Reader reader = store::file_store(file)->reader();
    CHECK(games == reader->info().games);
}
