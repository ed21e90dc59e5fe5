// Rows that vanished from a cluster's tables: a check names them, questions refuse to answer, and a
// push sends them again.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "clickhouse/ledger.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/push.hpp"
#include "clickhouse/pushing.hpp"
#include "clickhouse/servers.hpp"
#include "clickhouse/snapshot.hpp"
#include "clickhouse/stored_rows.hpp"
#include "clickhouse/tables.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;
using clickhouse::PushOptions;
using clickhouse::PushSummary;

const std::string kData = FENDEX_TEST_DATA;

}  // namespace

TEST_CASE("A check of a push names each difference", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(9))});
    push_file(file, database);
    Connection connection = database.connect();
    SECTION("an extra posting") {
        connection.run("INSERT INTO posting (push, key, game, sign) VALUES (1, 5, 1, 1)", {},
                       {{"insert_distributed_sync", "1"}});
        const std::vector<std::string> differences = check(file, database).differences;
        REQUIRE(differences.size() == 2);
        CHECK(differences[0].find("push 1 (games 1 to 9): its postings are") == 0);
        CHECK(differences[1].find("fingerprint") != std::string::npos);
    }
    SECTION("an extra game") {
        connection.run("INSERT INTO game (push, id) VALUES (1, 10)", {},
                       {{"insert_distributed_sync", "1"}});
        CHECK(check(file, database).differences.size() == 1);
    }
    SECTION("a database that was not pushed") {
        const std::string other = folder / "other.db";
        import_into(other, {folder.write("other.pgn", short_games(2))});
        CHECK_THROWS_WITH(check(other, database), Catch::Contains("was not pushed"));
    }
    SECTION("games that were not pushed yet") {
        import_into(file, {folder.write("more.pgn", short_games(2))});
        CHECK(check(file, database).differences.size() == 3);
    }
}

TEST_CASE("Lost rows are an error for queries, until a push sends them again",
          "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string others = "[White \"W\"]\n\n1. e4 (1. d4) e5 1-0\n\n1. d4 xx 0-1\n";
    const std::string archive = folder.write("short.pgn", short_games(600) + others);
    import_into(file, {archive, kData + "/repeats/pgn-extract.pgn"});
    must_run({"names", file, "--quiet", "--join", "V", "W"});
    push_file(file, database);
    const auto cluster = clickhouse::open(database.url(), {}, "");
    Connection entry = database.connect();
    std::vector<std::string> tables;
    for (const auto& [push, rows] : clickhouse::read_stored_rows(entry, {database.cluster()})) {
        CHECK(push == 1);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i] != 0) tables.push_back(clickhouse::counted_tables()[i]);
        }
    }
    CHECK(tables.size() == 11);  // not taken_back
    clickhouse::Ledger ledger(entry);
    const auto before = contents(entry);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (left_to_full_size(i, 4)) continue;
        const std::string& table = tables[i];
        CAPTURE(table);
        const store::Reader reader = cluster->reader();
        const std::string push = std::to_string(ledger.pushes_of(0).complete.front().number);
        for (const std::string& host : database.hosts()) {
            Connection connection(
                clickhouse::parse_url("clickhouse://" + host + "/" + database.name()), "");
            connection.run("ALTER TABLE " +
                           clickhouse::local_name(table, !database.cluster().empty()) +
                           " DROP PARTITION " + push);
        }
        std::this_thread::sleep_for(clickhouse::SnapshotSource::kFresh);
        const std::string words =
            "table " + table + " has 0 rows of push " + push + " of origin 0 instead of ";
        CHECK_THROWS_WITH(cluster->reader(), Catch::Contains(words));
        CHECK_THROWS_WITH(reader->refresh(), Catch::Contains(words));
        const std::vector<std::string> differences = check(file, database).differences;
        REQUIRE_FALSE(differences.empty());
        CHECK_THAT(differences.front(),
                   Catch::Contains("push " + push + " (games 1 to ") &&
                       Catch::Contains(table == "posting" ? "postings" : "table " + table));
        const PushSummary summary = push_file(file, database);
        REQUIRE(summary.mended.size() == 1);
        CHECK_THAT(summary.mended.front(), Catch::Contains(words));
        CHECK(cluster->reader()->info().games == store::file_store(file)->reader()->info().games);
    }
    CHECK(check(file, database).differences.empty());
    CHECK(contents(entry) == before);
}

TEST_CASE("Lost records of positions are sent again, and not the games", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(30))});
    const std::string games_only = folder / "games_only.db";
    std::filesystem::copy_file(file, games_only);
    import_into(file, {folder.write("records.epd",
                                    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 25;\n"
                                    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - "
                                    "dm 4;\n"
                                    "8/8/8/8/8/4k3/8/4K2R w - - ce 500; id \"rook\";\n")});
    CHECK(push_file(file, database).records == 3);
    Connection entry = database.connect();
    const auto before = contents(entry);
    clickhouse::Ledger ledger(entry);
    REQUIRE(ledger.pushes_of(0).of_records.size() == 1);
    const std::string push = std::to_string(ledger.pushes_of(0).of_records.front().number);
    for (const std::string& host : database.hosts()) {
        Connection connection(clickhouse::parse_url("clickhouse://" + host + "/" + database.name()),
                              "");
        connection.run("ALTER TABLE record_shard DROP PARTITION " + push);
    }
    CHECK_THROWS_WITH(
        clickhouse::open(database.url(), {}, "")->reader(),
        Catch::Contains("table record has 0 rows of push 2 of origin 0 instead of 3"));
    CHECK_FALSE(check(file, database).differences.empty());
    const PushSummary summary = push_file(file, database);
    CHECK(summary.games == 0);
    CHECK(summary.records == 3);
    CHECK(summary.mended.size() == 1);
    CHECK(check(file, database).differences.empty());
    CHECK(contents(entry) == before);
    CHECK(push_file(file, database).nothing_new);
    // All is sent again, and the older push of records is dropped.
    CHECK(push_file(file, database, [](PushOptions& options) { options.replace = true; }).records ==
          3);
    CHECK(contents(entry) == before);
    CHECK(ledger.pushes_of(0).of_records.size() == 1);
    CHECK(rows_of_incomplete_pushes(entry) == 0);

    // An earlier state of the database, and as many records in a source of the same number.
    import_into(games_only, {folder.write("others.epd",
                                          "8/8/8/8/8/4k3/8/4K2R w - - ce 1;\n"
                                          "8/8/8/8/8/4k3/8/4K2R b - - ce 2;\n"
                                          "8/8/8/8/8/4k3/8/4K2N w - - ce 3;\n")});
    CHECK_FALSE(check(games_only, database).differences.empty());
    CHECK(push_file(games_only, database).records == 3);
    CHECK(check(games_only, database).differences.empty());
    CHECK_FALSE(contents(entry) == before);
}

TEST_CASE("A push sends only the games again whose rows were lost", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(90))});
    push_file(file, database, [](PushOptions& options) { options.games_at_once = 30; });
    Connection entry = database.connect();
    // Names, sources and errors are sent again besides.
    const auto games_and_postings = [&] {
        std::string out;
        for (const auto& [table, rows] : contents(entry)) {
            const bool is_sent_again =
                table == "name" || table == "source" || table == "import_error";
            if (!is_sent_again) out += table + ": " + rows + "\n";
        }
        return out;
    };
    const std::string before = games_and_postings();
    const auto drop = [&](const std::string& table, int push) {
        Connection second = connect_to_second(database);
        second.run("ALTER TABLE " + table + "_shard DROP PARTITION " + std::to_string(push));
    };
    drop("posting", 2);
    const std::vector<std::string> differences = check(file, database).differences;
    REQUIRE_FALSE(differences.empty());
    CHECK_THAT(differences.front(), Catch::Contains("push 2 (games 31 to 60): its postings are "));
    PushSummary summary = push_file(file, database);
    CHECK(summary.games == 30);
    CHECK(summary.mended.size() == 1);
    CHECK(games_and_postings() == before);
    // The rows that take a game back stay only with those of the game.
    delete_games(file, {40});
    CHECK(push_file(file, database).taken_back == 1);
    // The four pushes have been joined.
    clickhouse::Ledger ledger(entry);
    REQUIRE(ledger.pushes_of(0).complete.size() == 1);
    drop("game", static_cast<int>(ledger.pushes_of(0).complete.front().number));
    summary = push_file(file, database);
    CHECK(summary.games == 89);
    CHECK(summary.mended.size() == 1);
    CHECK(check(file, database).differences.empty());
    CHECK(rows_of_incomplete_pushes(entry) == 0);
    CHECK(push_file(file, database).nothing_new);
}
