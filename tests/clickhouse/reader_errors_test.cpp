// What is wrong with a cluster is one clear error.
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "clickhouse/open.hpp"
#include "clickhouse/servers.hpp"
#include "clickhouse/tables.hpp"
#include "store/store.hpp"
#include "store/store_error.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using store::StoreError;

/// Makes the tables, without games, on one server.
void create_tables(const TestDatabase& database) {
    clickhouse::Connection connection = database.connect();
    clickhouse::Servers servers = clickhouse::connect_to_servers(connection, database.cluster());
    clickhouse::create_tables(servers, database.cluster());
}

void check_refused(const std::string& url, const std::string& password, StoreError::Kind kind,
                   const std::string& words) {
    INFO(url);
    try {
        const store::Reader reader = clickhouse::open(url, {}, password)->reader();
        static_cast<void>(reader->info());
        reader->for_each_moves(1, [](store::GameId, const store::StoredMoves&) { return true; });
        FAIL("there was no error");
    } catch (const StoreError& error) {
        const std::string what = error.what();
        INFO(what);
        CHECK(error.kind() == kind);
        CHECK(what.find(words) != std::string::npos);
        CHECK(what.find('\n') == std::string::npos);
        CHECK((password.empty() || what.find(password) == std::string::npos));
    }
}

}  // namespace

TEST_CASE("A cluster that cannot be read gives one clear error", "[clickhouse][full]") {
    check_refused("clickhouse://127.0.0.1:1/chess", "", StoreError::kUnreachable, "127.0.0.1:1");
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    const std::string url = database.url();
    check_refused(url + "_none", "", StoreError::kAbsent, "_none");
    check_refused(url, "", StoreError::kAbsent, "fendex push");
    create_tables(database);
    CHECK(clickhouse::open(url, {}, "")->reader()->info().games == 0);

    clickhouse::Connection connection = database.connect();
    SECTION("a newer fendex wrote it") {
        clickhouse::RowWriter row;
        connection.run("INSERT INTO push (push, state, format) VALUES (1, 0, 1), (1, 1, 7)");
        check_refused(url, "", StoreError::kNewerFormat, "newer");
    }
    SECTION("a column is missing") {
        connection.run("ALTER TABLE game DROP COLUMN annotation");
        check_refused(url, "", StoreError::kDamaged, "annotation");
    }
    SECTION("a table is missing") {
        connection.run("DROP TABLE quiet_run");
        check_refused(url, "", StoreError::kDamaged, "quiet_run");
    }
    SECTION("a value is not one that a push writes") {
        connection.run(
            "INSERT INTO push (push, state, format, first_game, last_game, games, stored_rows)"
            " VALUES (1, 1, 1, 1, 1, 1, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])");
        connection.run("INSERT INTO game (push, id, result) VALUES (1, 1, 9)");
        check_refused(url, "", StoreError::kDamaged, "result of game 1");
    }
}

TEST_CASE("A reader gives an error if its tables are changed while it is open", "[clickhouse]") {
    const TestDatabase database(kOneServer);
    if (!database.is_there()) return;
    create_tables(database);
    clickhouse::Connection connection = database.connect();
    connection.run(
        "INSERT INTO push (push, state, format, first_game, last_game, games, stored_rows)"
        " VALUES (1, 1, 1, 1, 1, 1, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])");
    connection.run("INSERT INTO game (push, id) VALUES (1, 1)");
    const store::Reader reader = clickhouse::open(database.url(), {}, "")->reader();
    connection.run("DROP TABLE game");
    CHECK_THROWS_AS(reader->facts(1), StoreError);
    CHECK_THROWS_AS(reader->facts(2), StoreError);
}

TEST_CASE("A refused password is not in the error message", "[clickhouse]") {
    const TestDatabase database(kOneServer);
    if (!database.is_there()) return;
    check_refused(database.url("guarded"), "wrong word", StoreError::kOther, "password");
}

TEST_CASE("A server that dies during a query is an error, and works again later", "[clickhouse]") {
    OwnServers servers(kOneServer);
    if (!servers.is_there()) return;
    const auto store = clickhouse::open(servers.url("chess"), {}, "");
    {
        clickhouse::Connection connection(clickhouse::parse_url(servers.url("chess")), "");
        connection.create_database();
        clickhouse::Servers made = clickhouse::connect_to_servers(connection, "");
        clickhouse::create_tables(made, "");
    }
    const store::Reader reader = store->reader();
    CHECK(reader->info().games == 0);
    using States = std::vector<store::ServerState>;
    const std::string& host = servers.hosts().front();
    CHECK(store->servers() == States{{host, true}});
    servers.kill(0);
    CHECK(store->servers() == States{{host, false}});
    CHECK_THROWS_AS(reader->info(), StoreError);
    CHECK_THROWS_AS(store->reader(), StoreError);
    servers.restart(0);
    CHECK(reader->info().games == 0);
    CHECK(store->reader()->info().games == 0);
    CHECK(store->servers() == States{{host, true}});
}
