// What a push leaves in the tables, compared with the database that was pushed; and that it leaves
// the same, wherever it is interrupted.
#include "clickhouse/push.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clickhouse/ledger.hpp"
#include "clickhouse/pushed_rows.hpp"
#include "clickhouse/pushing.hpp"
#include "clickhouse/servers.hpp"
#include "clickhouse/tables.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;
using clickhouse::PushOptions;
using clickhouse::PushProgress;
using clickhouse::PushSummary;
using store::GameId;

const std::string kData = FENDEX_TEST_DATA;

}  // namespace

TEST_CASE("A push writes the same data as the database has", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {kData + "/variants/games.pgn", folder.write("short.pgn", short_games(1400))},
                false);
    import_into(file, {FENDEX_SAMPLES, kData + "/repeats/pgn-extract.pgn"});
    const std::string broken = "[White \"W\"]\n\n1. e4 e5 2. Ke4 1-0\n\n1. d4 d5 2. xx 0-1\n";
    import_into(file, {folder.write("broken.pgn", broken)});
    const PushSummary summary = push_file(file, database);
    const store::Reader reader = store::file_store(file)->reader();
    const store::StoreInfo info = reader->info();
    CHECK(summary.origin == 0);
    CHECK(summary.games == info.games);
    CHECK(summary.plies == info.plies);
    CHECK(summary.postings == info.positions);
    Connection connection = database.connect();
    compare_postings(*reader, connection);
    compare_games(*reader, connection);
    compare_rest(*reader, connection);
    compare_ledger(*reader, connection);
    compare_position_sums(*reader, connection);
    CHECK(check(file, database).differences.empty());
    CHECK(rows_of_incomplete_pushes(connection) == 0);

    const std::map<std::string, std::string> before = contents(connection);
    CHECK(push_file(file, database).nothing_new);
    CHECK(contents(connection) == before);
}

TEST_CASE("A push makes the tables that one before it was killed too early to make",
          "[clickhouse]") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(40))});
    Connection connection = database.connect();
    clickhouse::Servers servers = clickhouse::connect_to_servers(connection, database.cluster());
    clickhouse::create_tables(servers, database.cluster());
    for (const std::string table : {"game", "position_sum", "push"}) {
        connection.run("DROP TABLE " + table);
    }
    CHECK(push_file(file, database).games == 40);
    CHECK(check(file, database).differences.empty());
}

TEST_CASE("A push after imports and deletions sends only what has changed", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    // The input ends in the middle of a game, which is imported again, as another, when it goes on.
    const std::string text = short_games(40) + "[White \"Open\"]\n\n1. e4 e5 2. Nf3";
    const std::string input = folder.write("short.pgn", text);
    import_into(file, {FENDEX_SAMPLES, input});
    push_file(file, database);
    const auto remove = [&](const std::vector<GameId>& games) { delete_games(file, games); };
    const auto present = [&] { return store::file_store(file)->reader(); };
    Connection connection = database.connect();

    remove({2, 3, 100});
    PushSummary summary = push_file(file, database);
    CHECK(summary.games == 0);
    CHECK(summary.taken_back == 3);
    compare_postings(*present(), connection);
    compare_ledger(*present(), connection);

    folder.write("short.pgn", text + " Nc6 3. Bb5 1-0\n");
    import_into(file, {input, kData + "/repeats/pgn-extract.pgn"});
    const GameId last = present()->last_game();
    remove({1, 4, last});
    summary = push_file(file, database, [](PushOptions& options) { options.cluster.clear(); });
    CHECK(summary.taken_back == 3);
    compare_postings(*present(), connection);
    compare_ledger(*present(), connection);
    CHECK(number(connection,
                 "SELECT sum(sign * toInt64(1)) FROM variation WHERE game GLOBAL IN "
                 "(SELECT game FROM taken_back)") == 0);
    CHECK(number(connection, "SELECT count() FROM taken_back") == 6);

    remove({last - 1});
    CHECK(push_file(file, database).taken_back == 1);
    CHECK(check(file, database).differences.empty());
    CHECK(push_file(file, database).nothing_new);
}

TEST_CASE("Each database has its own origin", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string first = folder / "first.db";
    const std::string second = folder / "second.db";
    import_into(first, {folder.write("short.pgn", short_games(9))});
    import_into(second, {folder.write("short2.pgn", short_games(5))});
    CHECK(push_file(first, database).origin == 0);
    CHECK(push_file(second, database).origin == 1);
    import_into(first, {folder.write("short3.pgn", short_games(3))});
    CHECK(push_file(first, database).games == 3);
    CHECK(push_file(second, database).nothing_new);
    Connection connection = database.connect();
    CHECK(number(connection, "SELECT min(id) FROM game WHERE id > 1000") ==
          clickhouse::cluster_id(1, 1));
    CHECK(number(connection, "SELECT count() FROM game") == 17);
    CHECK(number(connection, "SELECT max(toUInt64(push)) FROM game") ==
          clickhouse::push_number(1, 1));
    CHECK(check(first, database).differences.empty());
    CHECK(check(second, database).differences.empty());
}

TEST_CASE("An interrupted claim of an origin is continued, unless another database has it too",
          "[clickhouse]") {
    const TestDatabase database(GENERATE(kOneServer, kTwoShards));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string first = folder / "first.db";
    const std::string second = folder / "second.db";
    import_into(first, {folder.write("short.pgn", short_games(3))});
    import_into(second, {folder.write("short2.pgn", short_games(2))});
    CHECK(push_file(first, database).origin == 0);
    // As if the push had ended after its claim, and another database had claimed it as well.
    Connection connection = database.connect();
    const std::string claim = "INSERT INTO origin (origin, database, path, state, time) SELECT ";
    const std::string id = store::file_store(second)->reader()->info().id;
    connection.run(claim + "1, 'another', 'another.db', 0, now()");
    connection.run(claim + "1, '" + id + "', 'second.db', 0, now()");
    connection.run(claim + "2, '" + id + "', 'second.db', 0, now()");
    CHECK(push_file(second, database).origin == 2);
    CHECK(push_file(second, database).nothing_new);
}

TEST_CASE("A push that is interrupted anywhere and run again leaves the same rows",
          "[clickhouse][full]") {
    const auto kind = GENERATE(from_range(at_full_size_all(kTwoShards)));
    const bool replace = kind == kOneServer;
    const TestDatabase database(kind);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {FENDEX_SAMPLES, folder.write("short.pgn", short_games(600))});
    struct Fault {};
    if (replace) push_file(file, database);
    const auto in_parts = [&](PushOptions& options) {
        options.games_at_once = 400;
        options.block_postings = 6000;
        options.replace = replace;
    };
    int steps = 0;
    for (bool done = false; !done; ++steps) {
        int left = steps;
        try {
            push_file(file, database, [&](PushOptions& options) {
                in_parts(options);
                options.progress = [&](const PushProgress&) {
                    if (left-- == 0) throw Fault();
                };
            });
            done = true;
        } catch (const Fault&) {
            // What readers see in between is whole: parts that are complete, or what was replaced.
            Connection connection = database.connect();
            const std::uint64_t games =
                number(connection, "SELECT count() FROM game WHERE" + kComplete);
            CHECK(games == (replace ? 713 : games / 400 * 400));
        }
    }
    CHECK(steps > 3);
    Connection connection = database.connect();
    const store::Reader reader = store::file_store(file)->reader();
    compare_postings(*reader, connection);
    compare_games(*reader, connection);
    compare_rest(*reader, connection);
    compare_ledger(*reader, connection);
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    CHECK(check(file, database).differences.empty());
}

TEST_CASE("A push that cannot be added to is refused, and replaced on request",
          "[clickhouse][full]") {
    const auto kind = GENERATE(from_range(at_full_size_all(kOneServer)));
    const TestDatabase database(kind);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("first.pgn", short_games(3))});
    const std::string copy = folder / "copy.db";
    std::filesystem::copy_file(file, copy);
    import_into(file, {folder.write("second.pgn", short_games(9))});
    push_file(file, database);
    Connection connection = database.connect();
    const std::map<std::string, std::string> before = contents(connection);
    // The file is put back to an earlier state, and goes on from there with fewer games, with as
    // many others, or with more.
    std::filesystem::copy_file(copy, file, std::filesystem::copy_options::overwrite_existing);
    const int others = kind == kOneServer ? 1 : kind == kTwoShards ? 9 : 12;
    std::string text;
    for (int i = 0; i < others; ++i) text += "[White \"Other\"]\n\n1. a4 a5 2. b4 1-0\n\n";
    import_into(file, {folder.write("third.pgn", text)});
    CHECK_THROWS_WITH(push_file(file, database), Catch::Contains("--replace"));
    CHECK(contents(connection) == before);
    CHECK_FALSE(check(file, database).differences.empty());
    const PushSummary summary =
        push_file(file, database, [](PushOptions& options) { options.replace = true; });
    CHECK(summary.games == static_cast<std::uint64_t>(others) + 3);
    CHECK(check(file, database).differences.empty());
    const store::Reader reader = store::file_store(file)->reader();
    compare_postings(*reader, connection);
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    CHECK(push_file(file, database).nothing_new);
}

TEST_CASE("Rows that a push has no time to drop are dropped by the next one", "[clickhouse]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kNewEngine))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("games.pgn", short_games(3))});
    const auto replace = [&](std::chrono::seconds time) {
        push_file(file, database, [&](PushOptions& options) {
            options.replace = true;
            options.time_to_drop = time;
        });
    };
    Connection connection = database.connect();
    for (int i = 0; i < 3; ++i) replace(std::chrono::seconds(0));
    const std::uint64_t left = rows_of_incomplete_pushes(connection);
    CHECK(left > 50);
    CHECK(check(file, database).differences.empty());
    replace(std::chrono::minutes(1));
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    CHECK(check(file, database).differences.empty());
}

TEST_CASE("push says what it did, as text and as JSON", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kOneServer))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(9))});
    const auto fendex = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {FENDEX_BINARY, "push", file, database.url()});
        return run_process(options);
    };
    std::vector<std::string> first{"--format", "json", "--quiet"};
    if (!database.cluster().empty()) first.insert(first.end(), {"--cluster", database.cluster()});
    Outcome outcome = fendex(first);
    INFO(outcome.err);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    const auto pushed = nlohmann::json::parse(outcome.out);
    CHECK(pushed["games"] == 9);
    CHECK(pushed["origin"] == 0);
    CHECK(pushed["nothing_new"] == false);
    outcome = fendex({});
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "nothing new: the cluster has all games\n");
    outcome = fendex({"--check"});
    CHECK(outcome.status == 0);
    CHECK(outcome.err.find("the same: 9 games") == 0);
    outcome = fendex({"--cluster", "another"});
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find("not in the cluster 'another'") != std::string::npos);

    import_into(file, {folder.write("more.pgn", short_games(2))});
    outcome = fendex({"--check", "--format", "json", "--quiet"});
    CHECK(outcome.status == 2);
    CHECK(nlohmann::json::parse(outcome.out)["differences"].size() == 3);
    CHECK(lines_of(outcome.err).size() == 3);
    outcome = fendex({});
    CHECK(outcome.err.find("2 games, ") == 0);
    outcome = fendex({"--replace"});
    CHECK(outcome.err.find("11 games, ") == 0);
}
