// Many pushes become few, and nobody notices: not the readers, not a push that is killed meanwhile.
#include "clickhouse/joining.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "clickhouse/open.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/pushing.hpp"
#include "clickhouse/reader.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/snapshot.hpp"
#include "clickhouse/stored_rows.hpp"
#include "clickhouse/tables.hpp"
#include "store/engine.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/store_error.hpp"
#include "support/delete_games.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;
using clickhouse::OriginPushes;
using clickhouse::PushOptions;
using clickhouse::PushProgress;
using clickhouse::PushRecord;

/// A ledger without a cluster: pushes of so many rows, which are joined as if there were one.
class Simulation {
  public:
    void push(std::uint64_t rows) {
        PushRecord push;
        push.number = next_++;
        push.games = {last_ + 1, last_ + rows};
        push.stored_rows.resize(clickhouse::counted_tables().size());
        push.stored_rows[clickhouse::counted_table("posting")] = rows;
        last_ += rows;
        pushes.complete.push_back(push);
        const std::vector<PushRecord> members = clickhouse::pushes_to_join(pushes.complete);
        if (members.empty()) return;
        REQUIRE(members.size() > 1);
        const PushRecord joined = clickhouse::joined_push(next_++, members, pushes);
        CHECK(joined.games.last + 1 - joined.games.first == rows_of(joined));
        CHECK(joined.games.last == last_);
        copied += rows_of(joined);
        std::erase_if(pushes.complete, [&](const PushRecord& each) {
            return std::ranges::count(joined.replaces, each.number) != 0;
        });
        pushes.complete.push_back(joined);
        CHECK(clickhouse::pushes_to_join(pushes.complete).empty());
    }

    [[nodiscard]] std::uint64_t rows() const { return last_; }
    [[nodiscard]] double copies() const {
        return static_cast<double>(copied) / static_cast<double>(last_);
    }

    static std::uint64_t rows_of(const PushRecord& push) {
        return std::accumulate(push.stored_rows.begin(), push.stored_rows.end(), std::uint64_t{0});
    }

    OriginPushes pushes;
    std::uint64_t copied = 0;

  private:
    clickhouse::PushNumber next_ = 1;
    store::GameId last_ = 0;
};

/// Pushes a file in parts of so many games.
clickhouse::PushSummary push_in_parts(const std::string& file, const TestDatabase& database,
                                      std::uint64_t games,
                                      const std::function<void(PushOptions&)>& change = {}) {
    return push_file(file, database, [&](PushOptions& options) {
        options.games_at_once = games;
        if (change) change(options);
    });
}

void keep_replaced_rows(PushOptions& options) {
    options.replaced_rows_stay = std::chrono::hours(1);
}

/// Makes a database of forty games and pushes it in parts of so many. Returns its path.
std::string push_forty_games(const TemporaryDirectory& folder, const TestDatabase& database,
                             std::uint64_t games_at_once,
                             const std::function<void(PushOptions&)>& change = {}) {
    std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(40))});
    push_in_parts(file, database, games_at_once, change);
    return file;
}

OriginPushes pushes_of(Connection& connection) {
    return clickhouse::Ledger(connection).pushes_of(0);
}

void require_same_answers(const std::string& file, const TestDatabase& database) {
    for (Words question : std::vector<Words>{{"tree", "@", "--format", "json"},
                                             {"find", "@", "--moves", "1. e4 e5"},
                                             {"games", "@", "--player", "Player 3"},
                                             {"repeats", "@", "--format", "json"},
                                             {"export", "@"}}) {
        question.push_back("--quiet");
        INFO(question.front());
        const auto ask = [&](const std::string& location) {
            Words words = question;
            words[1] = location;
            return run(words).out;
        };
        const bool is_same = ask(database.url()) == ask(file);
        CHECK(is_same);
    }
}

}  // namespace

TEST_CASE("Whatever the sizes of pushes, few remain, and rows are copied a few times") {
    SECTION("a thousand small ones") {
        Simulation simulation;
        for (int i = 0; i < 1000; ++i) simulation.push(10'000);
        CHECK(simulation.pushes.complete.size() <= 7);
        CHECK(simulation.copies() < 16);
    }
    SECTION("large ones") {
        Simulation simulation;
        for (int i = 0; i < 100; ++i) simulation.push(345'000'000);
        CHECK(simulation.pushes.complete.size() < 21);
        CHECK(simulation.copies() < 1.01);
    }
    SECTION("any") {
        const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U);
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        Simulation simulation;
        for (int i = 0; i < 2000; ++i) {
            simulation.push(std::uint64_t{1} << random() % 29 | random() % 100);
            // Pushes of more rows are never joined. Small pushes before a large one wait for it.
            const auto may_be_joined = [](const PushRecord& push) {
                return Simulation::rows_of(push) < std::uint64_t{1} << 29;
            };
            REQUIRE(std::ranges::count_if(simulation.pushes.complete, may_be_joined) < 400);
        }
        CHECK(simulation.copies() < 4);
    }
}

TEST_CASE("A joined push has the sums of its members, and what is newest of each list") {
    OriginPushes pushes;
    const std::size_t sources = clickhouse::counted_table("source");
    const std::size_t games = clickhouse::counted_table("game");
    const std::size_t sums = clickhouse::counted_table("position_sum");
    for (clickhouse::PushNumber number = 1; number <= 5; ++number) {
        PushRecord push;
        push.number = number;
        // The last one has no games, but has taken some back.
        push.games = {number * 10, number == 5 ? 49 : number * 10 + 9};
        push.has_sources = true;
        push.sources_mark = number;
        push.taken_back = number == 5 ? 2 : 0;
        push.counters.games = number == 5 ? -2 : 10;
        push.counters.fingerprint = number;
        push.variations = number == 2;
        push.last_names = {number, 6 - number};
        push.sharding = number == 1 ? 1 : 2;
        push.stored_rows.resize(clickhouse::counted_tables().size());
        push.stored_rows[sources] = number;
        push.stored_rows[games] = number == 5 ? 0 : 10;
        push.stored_rows[sums] = 3;
        pushes.complete.push_back(push);
    }
    // The first one is spread over other shards.
    const std::vector<PushRecord> members = clickhouse::pushes_to_join(pushes.complete);
    REQUIRE(members.size() == 4);
    PushRecord joined = clickhouse::joined_push(6, members, pushes);
    CHECK(joined.replaces == std::vector<clickhouse::PushNumber>{2, 3, 4, 5});
    CHECK(joined.games == store::GameRange{20, 49});
    CHECK(joined.has_sources);
    CHECK(joined.sources_mark == 5);
    CHECK(joined.taken_back == 2);
    CHECK(joined.counters.games == 28);
    CHECK(joined.counters.fingerprint == 14);
    CHECK(joined.variations);
    CHECK(joined.last_names[0] == 5);
    CHECK(joined.last_names[1] == 4);
    CHECK(joined.sharding == 2);
    CHECK(joined.stored_rows[sources] == 5);
    CHECK(joined.stored_rows[games] == 30);
    CHECK(joined.stored_rows[sums] == 0);
    // The newest sources are of a push that is not among the members.
    joined = clickhouse::joined_push(6, std::span(members).first(3), pushes);
    CHECK_FALSE(joined.has_sources);
    CHECK(joined.sources_mark == 0);
    CHECK(joined.stored_rows[sources] == 0);
}

TEST_CASE("Joined pushes leave the rows of one push", "[clickhouse][full]") {
    const auto kind = GENERATE(from_range(at_full_size_all(kTwoShards)));
    const TestDatabase joined(kind);
    const TestDatabase at_once(kind);
    if (!joined.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string others = "[White \"W\"]\n\n1. e4 (1. d4) e5 1-0\n\n1. d4 xx 0-1\n";
    import_into(file, {folder.write("short.pgn", short_games(600) + others),
                       FENDEX_TEST_DATA "/repeats/pgn-extract.pgn"});
    push_file(file, at_once);
    push_in_parts(file, joined, 150);
    Connection connection = joined.connect();
    Connection other = at_once.connect();
    REQUIRE(pushes_of(connection).complete.size() == 2);
    CHECK(pushes_of(connection).last_n == 6);
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    CHECK(check(file, joined).differences.empty());
    require_same_answers(file, joined);
    // Until the next push they are two, but two more make them one.
    for (int i = 0; i < 2; ++i) {
        import_into(file, {folder.write("more" + std::to_string(i) + ".pgn", short_games(7 + i))});
        push_file(file, joined);
    }
    push_file(file, at_once, [](PushOptions& options) { options.replace = true; });
    REQUIRE(pushes_of(connection).complete.size() == 1);
    CHECK(contents(connection) == contents(other));
    CHECK(push_file(file, joined).nothing_new);

    // Games are taken back, among joined ones and before a join.
    for (const store::GameId game : std::vector<store::GameId>{5, 590, 6}) {
        delete_games(file, {game});
        CHECK(push_file(file, joined).taken_back == 1);
        CHECK(check(file, joined).differences.empty());
    }
    CHECK(pushes_of(connection).complete.size() == 1);
    require_same_answers(file, joined);
    CHECK(push_file(file, joined).nothing_new);
}

TEST_CASE("A join that is interrupted anywhere changes nothing, and the next push makes up for it",
          "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = push_forty_games(folder, database, 14);
    import_into(file, {folder.write("more.pgn", short_games(4))});
    struct Fault {};
    Connection connection = database.connect();
    std::set<std::size_t> seen;
    for (int steps = 0, left = 0; left == 0; steps += at_size(5, 1)) {
        left = steps;
        try {
            push_file(file, database, [&](PushOptions& options) {
                options.progress = [&](const PushProgress& progress) {
                    const bool joins = progress.phase == PushProgress::Phase::kJoining;
                    if (joins && left-- == 0) throw Fault();
                };
            });
            left = 1;
        } catch (const Fault&) {
            left = 0;
        }
        seen.insert(pushes_of(connection).complete.size());
        CHECK(number(connection, "SELECT count() FROM game WHERE" + kComplete) == 44);
        CHECK(check(file, database).differences.empty());
    }
    CHECK(seen == std::set<std::size_t>{1, 4});
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    require_same_answers(file, database);
}

TEST_CASE("A reader keeps its answers while pushes are joined, or says that they are gone",
          "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = push_forty_games(folder, database, 14);
    const auto open = [&](std::chrono::seconds trusted) {
        return clickhouse::open_reader(database.connect(),
                                       std::make_shared<clickhouse::SnapshotSource>(1000, trusted));
    };
    // The second one looks after each query whether the rows are still there.
    const auto reader = open(std::chrono::seconds(60));
    const auto careful = open(std::chrono::seconds(0));
    const auto count = [](store::StoreReader& each) {
        return each.engine().count_games({}, {}) + each.info().games;
    };
    CHECK(count(*reader) == 80);
    import_into(file, {folder.write("more.pgn", short_games(4))});
    push_file(file, database, keep_replaced_rows);
    Connection connection = database.connect();
    const OriginPushes joined = pushes_of(connection);
    REQUIRE(joined.complete.size() == 1);
    CHECK(joined.replaced.size() == 4);
    CHECK(count(*reader) == 80);
    CHECK(count(*careful) == 80);
    std::this_thread::sleep_for(clickhouse::SnapshotSource::kFresh);
    const auto other = open(std::chrono::seconds(60));
    CHECK(count(*other) == 88);

    // The next push drops them.
    CHECK(push_file(file, database).nothing_new);
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    CHECK(pushes_of(connection).replaced.empty());
    CHECK_THROWS_WITH(count(*careful), Catch::Contains("ask again"));
    careful->refresh();
    CHECK(count(*careful) == 88);
    CHECK(count(*other) == 88);
}

TEST_CASE("What a push replaces counts again if that push is given up", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = push_forty_games(folder, database, 10, keep_replaced_rows);
    Connection connection = database.connect();
    const PushRecord joined = pushes_of(connection).complete.at(0);
    CHECK(joined.replaces.size() == 4);
    // As another program does it that pushes the same database at the same moment.
    PushRecord given_up;
    given_up.number = joined.number;
    given_up.state = PushRecord::kGivenUp;
    clickhouse::Ledger(connection).add(std::span(&given_up, 1));
    CHECK(pushes_of(connection).complete.size() == 4);
    require_same_answers(file, database);
    CHECK(push_file(file, database).nothing_new);
    CHECK(pushes_of(connection).complete.size() == 1);
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    require_same_answers(file, database);
}

TEST_CASE("Lost rows of a joined push are sent again", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = push_forty_games(folder, database, 10, keep_replaced_rows);
    Connection connection = database.connect();
    REQUIRE(pushes_of(connection).complete.size() == 1);
    Connection second = connect_to_second(database);
    second.run("ALTER TABLE posting_shard DROP PARTITION " +
               std::to_string(pushes_of(connection).complete[0].number));
    CHECK_THROWS_WITH(clickhouse::open(database.url(), {}, "")->reader(),
                      Catch::Contains("rows were lost"));
    const clickhouse::PushSummary summary = push_file(file, database);
    CHECK(summary.mended.size() == 1);
    CHECK(summary.games == 40);
    CHECK(check(file, database).differences.empty());
    CHECK(rows_of_incomplete_pushes(connection) == 0);
    require_same_answers(file, database);
}

TEST_CASE("Rows that were lost before a join are found by it", "[clickhouse]") {
    const TestDatabase database(kTwoShards);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = push_forty_games(folder, database, 14);
    import_into(file, {folder.write("more.pgn", short_games(4))});
    Connection second = connect_to_second(database);
    const std::string table = "posting";
    bool is_lost = false;
    const clickhouse::PushSummary summary = push_file(file, database, [&](PushOptions& options) {
        options.progress = [&](const PushProgress& progress) {
            if (progress.phase != PushProgress::Phase::kJoining || is_lost) return;
            second.run("ALTER TABLE " + table + "_shard DROP PARTITION 2");
            is_lost = true;
        };
    });
    CHECK(is_lost);
    CHECK_THAT(summary.not_tidied, Catch::Contains("table " + table + " has "));
    CHECK(summary.games == 4);
    CHECK(push_file(file, database).mended.size() == 1);
    CHECK(check(file, database).differences.empty());
    require_same_answers(file, database);
}

TEST_CASE("Tables of an older fendex are refused by readers and upgraded by a push",
          "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("short.pgn", short_games(9))});
    push_file(file, database);
    for (const std::string& host : database.hosts()) {
        Connection connection(clickhouse::parse_url("clickhouse://" + host + "/" + database.name()),
                              "");
        const bool is_cluster = !database.cluster().empty();
        if (is_cluster) connection.run("ALTER TABLE push DROP COLUMN replaces");
        const bool has =
            number(connection,
                   "SELECT count() FROM system.columns WHERE database = "
                   "currentDatabase() AND table = '" +
                       clickhouse::local_name("push", is_cluster) + "' AND name = 'replaces'") != 0;
        if (!has) continue;  // a replica of the first host
        connection.run(
            "ALTER TABLE " + clickhouse::local_name("push", is_cluster) + " DROP COLUMN replaces",
            {}, {{"replication_alter_partitions_sync", "2"}});
    }
    const std::string words = "made by an older fendex (column push.replaces is missing)";
    CHECK_THROWS_WITH(clickhouse::open(database.url(), {}, "")->reader(), Catch::Contains(words));
    CHECK_THROWS_WITH(check(file, database), Catch::Contains(words));
    CHECK(push_file(file, database).nothing_new);
    CHECK(clickhouse::open(database.url(), {}, "")->reader()->info().games == 9);
    import_into(file, {folder.write("more.pgn", short_games(2))});
    CHECK(push_file(file, database).games == 2);
    CHECK(clickhouse::open(database.url(), {}, "")->reader()->info().games == 11);
}
