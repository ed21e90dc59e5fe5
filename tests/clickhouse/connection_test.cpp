#include "clickhouse/client/connection.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "base/stop_check.hpp"
#include "clickhouse/servers.hpp"
#include "store/store_error.hpp"

using namespace fendex::clickhouse;
using namespace fendex::test;
using Catch::Matchers::Contains;
using fendex::store::StoreError;
using std::chrono::milliseconds;

namespace {

std::uint64_t number(Connection& connection, std::string_view sql) {
    std::uint64_t value = 0;
    connection.query(sql, [&](RowReader& row) { value = row.u64(); });
    return value;
}

/// Rows of the table t (a UInt64, s String).
std::string rows(std::uint64_t count) {
    RowWriter out;
    for (std::uint64_t a = 0; a < count; ++a) {
        out.u64(a);
        out.string("row " + std::to_string(a % 1000));
    }
    return out.bytes();
}

void make_table(Connection& connection) {
    connection.run("CREATE TABLE t (a UInt64, s String) ENGINE = MergeTree ORDER BY a");
}

/// The kind and the text of the error that `act` throws.
template <typename Act>
std::pair<StoreError::Kind, std::string> error_of(Act act) {
    try {
        act();
    } catch (const StoreError& error) {
        CHECK_THAT(error.what(), !Contains("\n"));
        return {error.kind(), error.what()};
    }
    FAIL("no error");
    return {};
}

}  // namespace

TEST_CASE("the version of a server is read") {
    const auto kind = GENERATE(kOneServer, kTwoShards, kNewEngine);
    const TestDatabase database(kind);
    if (!database.is_there()) return;
    Connection connection = database.connect();
    CHECK(connection.version() >= Version{18, 16});
    CHECK(connection.is_new() == (kind == kNewEngine));
    CHECK(connection.version() == connection.version());
}

TEST_CASE("inserted rows are read back with the memory of a few of them") {
    const TestDatabase database(GENERATE(kOneServer, kNewEngine));
    if (!database.is_there()) return;
    // Over 0.0.0.0 bytes are compressed, like over a network.
    const auto compressed = GENERATE(false, true);
    std::string address = database.url();
    if (compressed) address.replace(address.find("127.0.0.1"), 9, "0.0.0.0");
    Connection connection(parse_url(address), "");
    make_table(connection);
    constexpr std::uint64_t kCount = 100000;
    const std::string all = rows(kCount);
    Insert insert = connection.insert("INSERT INTO t (a, s)");
    for (std::size_t at = 0; at < all.size(); at += 70001) {
        insert.write(std::string_view(all).substr(at, 70001));
    }
    insert.finish();

    std::uint64_t next = 0;
    connection.query("SELECT a, s FROM t ORDER BY a", [&](RowReader& row) {
        REQUIRE(row.u64() == next);
        REQUIRE(row.string() == "row " + std::to_string(next % 1000));
        ++next;
    });
    CHECK(next == kCount);
    CHECK(number(connection, "SELECT toUInt64(7)") == 7);
}

TEST_CASE("an empty insert and an empty answer are allowed") {
    const TestDatabase database(GENERATE(kOneServer, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    make_table(connection);
    Insert insert = connection.insert("INSERT INTO t (a, s)");
    insert.finish();
    connection.query("SELECT a FROM t", [](RowReader&) { FAIL("a row"); });
}

TEST_CASE("arrays and all sizes of numbers are read") {
    const TestDatabase database(GENERATE(kOneServer, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    int count = 0;
    connection.query(
        "SELECT toUInt8(200), toUInt16(60000), toUInt32(4000000000), toUInt64(1) * 5, toInt8(-3), "
        "toInt64(-4), 'text', [toUInt32(1), toUInt32(2)], [toUInt64(3)], emptyArrayUInt64()",
        [&](RowReader& row) {
            ++count;
            CHECK(row.u8() == 200);
            CHECK(row.u16() == 60000);
            CHECK(row.u32() == 4000000000);
            CHECK(row.u64() == 5);
            CHECK(row.i8() == -3);
            CHECK(row.i64() == -4);
            CHECK(row.string() == "text");
            CHECK(row.u32s() == std::vector<std::uint32_t>{1, 2});
            CHECK(row.u64s() == std::vector<std::uint64_t>{3});
            CHECK(row.u64s().empty());
        });
    CHECK(count == 1);
}

TEST_CASE("values are sent with a query as tables, whatever their bytes") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    const std::string nasty("'; DROP TABLE t; -- \0\r\n--\\`", 26);
    RowWriter names;
    names.string(nasty);
    names.string("");
    names.string("--");
    RowWriter ids;
    for (std::uint64_t id = 0; id < 50000; ++id) ids.u64(id * 3);
    std::vector<std::string> found;
    const std::vector<ExternalTable> tables{{"names", "name String", names.bytes()},
                                            {"ids", "id UInt64", ids.bytes()},
                                            {"nothing", "id UInt64", ""}};
    connection.query("SELECT name FROM names ORDER BY name DESC", tables,
                     [&](RowReader& row) { found.emplace_back(row.string()); });
    CHECK(found == std::vector<std::string>{"--", nasty, ""});
    std::uint64_t count = 0;
    // Longer than an address may be.
    const std::string note = "/*" + std::string(100000, 'x') + "*/";
    connection.query("SELECT count() FROM ids WHERE id % 2 = 0 AND id NOT IN nothing " + note,
                     tables, [&](RowReader& row) { count = row.u64(); });
    CHECK(count == 25000);
}

TEST_CASE("an insert that is not finished inserts nothing") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    make_table(connection);
    for (const std::uint64_t count : {1u, 1000u, 200000u}) {
        {
            Insert insert = connection.insert("INSERT INTO t (a, s)");
            insert.write(rows(count));
        }
        // The server may still be reading.
        std::this_thread::sleep_for(milliseconds(100));
        CHECK(number(connection, "SELECT count() FROM t") == 0);
    }
    Insert insert = connection.insert("INSERT INTO t (a, s)");
    insert.write(rows(10));
    insert.finish();
    CHECK(number(connection, "SELECT count() FROM t") == 10);
}

TEST_CASE("rows that are cut off are refused, and none is inserted") {
    const TestDatabase database(GENERATE(kOneServer, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    make_table(connection);
    const auto error = error_of([&] {
        Insert insert = connection.insert("INSERT INTO t (a, s)");
        insert.write(rows(1000) + "\x01\x02");
        insert.finish();
    });
    CHECK(error.first == StoreError::kOther);
    CHECK(number(connection, "SELECT count() FROM t") == 0);
}

TEST_CASE("errors of a server say what to do") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    const auto ask = [&](std::string_view sql) {
        return error_of([&] { connection.query(sql, [](RowReader& row) { row.u8(); }); });
    };
    {
        const auto [kind, text] = ask("SELECT a FROM nowhere");
        CHECK(kind == StoreError::kAbsent);
        CHECK_THAT(text, Contains(database.hosts()[0] + "/" + database.name() + ": ") &&
                             Contains("nowhere") && Contains("fendex push"));
    }
    {
        const auto [kind, text] = error_of([&] {
            Insert insert = connection.insert("INSERT INTO nowhere (a, s)");
            for (int block = 0; block < 5; ++block) insert.write(rows(100000));
            insert.finish();
        });
        CHECK(kind == StoreError::kAbsent);
    }
    make_table(connection);
    {
        const auto [kind, text] = ask("SELECT b FROM t");
        CHECK(kind == StoreError::kDamaged);
        CHECK_THAT(text, Contains("not as fendex made them"));
    }
    {
        const auto [kind, text] = error_of([&] {
            Connection elsewhere(parse_url("clickhouse://" + database.hosts()[0] + "/no_such_db"),
                                 "");
            number(elsewhere, "SELECT toUInt64(1)");
        });
        CHECK(kind == StoreError::kAbsent);
        CHECK_THAT(text, Contains("no_such_db") && Contains("no such database"));
    }
    {
        const auto [kind, text] = error_of([&] {
            connection.query("SELECT a FROM t ORDER BY a", {}, [](RowReader& row) { row.u64(); },
                             {{"no_such_setting", "1"}});
        });
        CHECK(kind == StoreError::kOther);
    }
    {
        const auto [kind, text] = error_of([&] {
            connection.query(
                "SELECT sum(length(toString(number))) FROM "
                "(SELECT number FROM system.numbers LIMIT 50000000) "
                "GROUP BY number % 10000000",
                {}, [](RowReader& row) { row.u64(); }, {{"max_memory_usage", "10000000"}});
        });
        CHECK(kind == StoreError::kOther);
        CHECK_THAT(text, Contains("memory limit"));
    }
    // It works again after each of them.
    CHECK(number(connection, "SELECT count() FROM t") == 0);
}

TEST_CASE("an error after many rows gives no row") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    CHECK_THROWS_AS(
        connection.query("SELECT throwIf(number = 5000000) FROM system.numbers LIMIT 10000000",
                         [](RowReader&) { FAIL("a row"); }),
        StoreError);
}

TEST_CASE("passwords are checked, and not repeated") {
    const TestDatabase database(GENERATE(kOneServer, kNewEngine));
    if (!database.is_there()) return;
    Connection allowed = database.connect("guarded", "secret");
    CHECK(number(allowed, "SELECT toUInt64(1)") == 1);
    const auto [user, password] = GENERATE(table<std::string, std::string>(
        {{"guarded", "hunter2"}, {"guarded", ""}, {"nobody", "hunter2"}}));
    const auto [kind, text] = error_of([&, u = user, p = password] {
        Connection refused = database.connect(u, p);
        refused.version();
    });
    CHECK(kind == StoreError::kOther);
    CHECK_THAT(text, Contains("--password-file") && !Contains("hunter2"));
    CHECK_THROWS_AS(Connection(parse_url(database.url()), "two\r\nlines"), StoreError);
}

// Alone, because the current engine sometimes ignores all requests to end a query while it answers
// other tests.
TEST_CASE("a stop ends a query at once, here and on the server", "[alone]") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    connection.version();
    std::stop_source source;
    connection.set_stop(source.get_token());
    const std::string sql = "SELECT count() AS " + database.name() + " FROM system.numbers";
    const std::string count = "SELECT count() FROM system.processes WHERE query LIKE '%AS " +
                              database.name() + " FROM%' AND query NOT LIKE '%processes%'";
    Connection other = database.connect();
    // Returns how many of these queries run on the server: `wanted`, unless that takes too long.
    const auto wait_for = [&](std::uint64_t wanted, int most_tries) {
        std::uint64_t running = number(other, count);
        for (int tries = 0; running != wanted && tries < most_tries; ++tries) {
            std::this_thread::sleep_for(milliseconds(50));
            running = number(other, count);
        }
        return running;
    };
    std::chrono::steady_clock::time_point asked;
    {
        // A server that has much to do begins late.
        const std::jthread stopper([&] {
            wait_for(1, 600);
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        });
        CHECK_THROWS_AS(number(connection, sql), fendex::base::Stopped);
    }
    // A server that has much to do may take a while to end a query that it has just begun.
    CHECK(std::chrono::steady_clock::now() - asked < milliseconds(3500));
    CHECK_THROWS_AS(number(connection, "SELECT toUInt64(1)"), fendex::base::Stopped);
    connection.set_stop({});
    CHECK(wait_for(0, 600) == 0);
    CHECK(number(connection, "SELECT toUInt64(1)") == 1);
}

TEST_CASE("an exception of the callback ends the query, and the connection stays usable") {
    const TestDatabase database(GENERATE(kOneServer, kNewEngine));
    if (!database.is_there()) return;
    Connection connection = database.connect();
    struct Enough {};
    CHECK_THROWS_AS(connection.query("SELECT number FROM system.numbers LIMIT 1000000",
                                     [](RowReader& row) {
                                         if (row.u64() == 10) throw Enough();
                                     }),
                    Enough);
    CHECK(number(connection, "SELECT toUInt64(1)") == 1);
}

TEST_CASE("a user that may only read can send queries") {
    const TestDatabase database(kOneServer);
    if (!database.is_there()) return;
    Connection connection = database.connect();
    make_table(connection);
    Connection reader = database.connect("reader");
    CHECK(number(reader, "SELECT count() FROM t") == 0);
    CHECK_THAT(error_of([&] { reader.run("DROP TABLE t"); }).second, Contains("does not allow"));
    CHECK_THAT(error_of([&] { reader.insert("INSERT INTO t (a, s)").finish(); }).second,
               Contains("does not allow"));
    // The right to create a database is needed only if it is missing.
    reader.create_database();
    Connection other(parse_url(database.url("reader") + "_none"), "");
    CHECK_THAT(error_of([&] { other.create_database(); }).second, Contains("does not allow"));
}

TEST_CASE("the next endpoint is used if one is unreachable") {
    OwnServers servers(kTwoShards);
    if (!servers.is_there()) return;
    Connection connection(parse_url("clickhouse://127.0.0.3:1," + servers.hosts()[0] + "," +
                                    servers.hosts()[1] + "/default"),
                          "");
    CHECK(number(connection, "SELECT toUInt64(1)") == 1);
    servers.kill(0);
    CHECK(number(connection, "SELECT toUInt64(2)") == 2);
    connection.run("CREATE TABLE t (a UInt64, s String) ENGINE = MergeTree ORDER BY a");
    Insert insert = connection.insert("INSERT INTO t (a, s)");
    insert.write(rows(5));
    insert.finish();
    CHECK(number(connection, "SELECT count() FROM t") == 5);
}

TEST_CASE("a shard is an error while it is unreachable, and works after its return") {
    OwnServers servers(kTwoShards);
    if (!servers.is_there()) return;
    for (const auto& host : servers.hosts()) {
        Connection connection(parse_url("clickhouse://" + host + "/chess"), "");
        connection.create_database();
        connection.run("CREATE TABLE t_shard (a UInt64) ENGINE = MergeTree ORDER BY a");
        connection.run("CREATE TABLE t (a UInt64) ENGINE = Distributed(two, chess, t_shard, a)");
    }
    Connection connection(parse_url(servers.url("chess")), "");
    const auto insert_ten = [&] {
        RowWriter out;
        for (std::uint64_t a = 0; a < 10; ++a) out.u64(a);
        Insert insert = connection.insert("INSERT INTO t (a)");
        insert.write(out.bytes());
        insert.finish();
    };
    insert_ten();
    CHECK(number(connection, "SELECT count() FROM t") == 10);
    CHECK(number(connection, "SELECT count() FROM t_shard") == 5);
    servers.kill(1);
    const auto [kind, text] = error_of([&] { number(connection, "SELECT count() FROM t"); });
    CHECK(kind == StoreError::kUnreachable);
    CHECK_THAT(text, Contains("cannot reach another server of its cluster"));
    CHECK(error_of(insert_ten).first == StoreError::kUnreachable);
    servers.restart(1);
    CHECK(number(connection, "SELECT sum(a) FROM t WHERE a > 100") == 0);
}
