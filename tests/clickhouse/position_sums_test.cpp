// Questions with filters of an opening explorer's kind: what the sums of frequent positions answer
// is what the file answers, whether a push has sums of a position or not.
#include "clickhouse/position_sums.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "chess/any_position.hpp"
#include "chess/random_play.hpp"
#include "clickhouse/fact_conditions.hpp"
#include "clickhouse/ids.hpp"
#include "clickhouse/ledger.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/posting_sql.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/pushing.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/tables.hpp"
#include "store/rating_groups.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "support/engine_comparison.hpp"
#include "support/process.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using clickhouse::Connection;
using store::Engine;
using store::GameFilter;

/// Short games with few different values, so that sums over equal games save something.
std::string explorer_games(std::uint32_t seed, std::size_t games) {
    static constexpr const char* kMoves[] = {"1. e4 e5 2. Nf3",
                                             "1. e4 c5 2. Nf3",
                                             "1. e4 e5 2. Qh5",
                                             "1. d4 d5",
                                             "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 e5",
                                             "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"};
    static constexpr const char* kDates[] = {"2019.12.30", "2019.12.31", "2020.01.01",
                                             "2020.01.??", "2020.01.31", "2020.??.??",
                                             "2020.01.17", "????.??.??"};
    // The mean of 1799 and 1800 is in the group up to 1799, that of 1799 and 1801 is not.
    static constexpr const char* kElos[] = {"1798", "1799", "1800", "1801", "?"};
    static constexpr const char* kControls[] = {"60+0", "180+2"};
    static constexpr const char* kResults[] = {"1-0", "0-1", "1/2-1/2", "*"};
    Random random(seed);
    std::string text;
    for (std::size_t i = 0; i < games; ++i) {
        const auto tag = [&](const char* name, const std::string& value) {
            text += '[' + std::string(name) + " \"" + value + "\"]\n";
        };
        tag("White", "Player " + std::to_string(random() % 20));
        tag("Event", random() % 2 == 0 ? "Rated game" : "Casual game");
        tag("Date", one_of(random, kDates));
        tag("WhiteElo", one_of(random, kElos));
        tag("BlackElo", one_of(random, kElos));
        tag("TimeControl", one_of(random, kControls));
        if (random() % 40 == 0) tag("Variant", "Chess960");
        const std::string result = one_of(random, kResults);
        tag("Result", result);
        text += "\n" + one_of(random, kMoves) + ' ' + result + "\n\n";
    }
    return text;
}

/// A filter that compares nothing but what fine sums are apart by, in whole months and whole
/// groups. Sometimes it accepts all games.
GameFilter explorer_filter(Random& random) {
    GameFilter filter;
    if (random() % 3 == 0) {
        const std::vector<codec::TimeClass> classes{
            codec::TimeClass::kBullet, codec::TimeClass::kBlitz, codec::TimeClass::kRapid};
        const std::size_t first = random() % 3;
        filter.time_classes.emplace(classes.begin() + static_cast<std::ptrdiff_t>(first),
                                    classes.end());
    }
    if (random() % 2 == 0) {
        filter.mean_elo.emplace();
        const std::size_t first = codec::rating_group_of(1400);
        for (std::size_t n = random() % 3; n != 0; --n) {
            filter.mean_elo->push_back(store::ratings_of_group(first + random() % 4));
        }
    }
    if (random() % 2 == 0) {
        const std::vector<std::uint32_t> lows{0, 20190000, 20191200, 20200000, 20200100, 20200200};
        const std::vector<std::uint32_t> highs{20191231, 20199999, 20200099,
                                               20200131, 20209999, UINT32_MAX};
        filter.date = {lows[random() % lows.size()], highs[random() % highs.size()]};
        if (filter.date.high == UINT32_MAX) filter.date.high = store::NumberRange{}.high;
    }
    if (random() % 4 == 0) {
        filter.variant = random() % 2 == 0 ? chess::Variant::kStandard : chess::Variant::kChess960;
    }
    return filter;
}

/// Compares something more, or only parts of a month or of a group of ratings.
void narrow(Random& random, GameFilter& filter) {
    switch (random() % 5) {
        case 0: filter.date.low = 20200117; return;
        case 1: filter.date.high = 20200130; return;
        case 2: filter.mean_elo = {{1799, 1800}}; return;
        case 3: filter.mode = codec::Mode::kRated; return;
        default: filter.result = codec::Result::kDraw; return;
    }
}

/// Pushes a file in large blocks: there are many games.
clickhouse::PushSummary push_games(const std::string& file, const TestDatabase& database,
                                   std::uint64_t games_at_once = 100'000) {
    return push_file(file, database, [&](clickhouse::PushOptions& options) {
        options.games_at_once = games_at_once;
        options.block_postings = 100'000;
    });
}

/// The database is the second one of the cluster.
constexpr clickhouse::Origin kOrigin = 1;

void claim_first_origin(const TestDatabase& database) {
    Connection connection = database.connect();
    clickhouse::Servers servers = clickhouse::connect_to_servers(connection, database.cluster());
    clickhouse::create_tables(servers, database.cluster());
    CHECK(clickhouse::Ledger(connection).new_origin("another", "another.db") == 0);
}

/// Gives games the ids that they have in the cluster.
void to_cluster(std::vector<Engine::NamedGame>& games) {
    for (Engine::NamedGame& each : games) each.game = clickhouse::cluster_id(kOrigin, each.game);
}

Engine::Tree to_cluster(Engine::Tree tree) {
    to_cluster(tree.top);
    to_cluster(tree.recent);
    for (Engine::PlayedMove& move : tree.moves) to_cluster(move.top);
    return tree;
}

/// Asks the file and the cluster the same. Returns in how many cases games fitted.
int compare(const std::string& file, store::StoreReader& asked, std::uint32_t seed, int rounds) {
    const store::Reader reader = store::file_store(file)->reader();
    Random random(seed);
    int found = 0;
    for (int round = 0; round < rounds; ++round) {
        GameFilter filter = explorer_filter(random);
        if (random() % 4 == 0) narrow(random, filter);
        // Each of the groups on both sides of a border, of the start position.
        const bool is_group = round < 2;
        if (is_group) {
            filter = {};
            filter.mean_elo = {store::ratings_of_group(codec::rating_group_of(1600) +
                                                       static_cast<std::size_t>(round))};
        }
        const auto match = static_cast<query::Match>(random() % 3);
        const std::vector<Engine::Target> targets =
            is_group || random() % 2 == 0 ? targets_of(chess::AnyPosition(), match)
                                          : targets_of(random_position(random, *reader), match);
        // Of a tree without a filter, only so many games are certain.
        const std::size_t most = filter == GameFilter{} ? codec::kNamedGames : 6;
        const Engine::TreeLists lists{.most = random() % (most + 1)};
        CAPTURE(seed, round, clickhouse::fine_sum_condition(filter).value_or("none"),
                static_cast<int>(match), lists.most);
        const std::vector<std::vector<Engine::Target>> questions{targets, {targets.front()}};
        Engine& engine = reader->engine();
        CHECK(text_of(asked.engine().tree(targets, filter, lists, {})) ==
              text_of(to_cluster(engine.tree(targets, filter, lists, {}))));
        const auto counts = engine.counts(questions, filter, {});
        CHECK(text_of(asked.engine().counts(questions, filter, {})) == text_of(counts));
        CHECK(text_of(asked.engine().months(targets, filter, {})) ==
              text_of(engine.months(targets, filter, {})));
        found += counts.front().games != 0;
    }
    return found;
}

/// What a reader of the cluster sees.
class Seen {
  public:
    explicit Seen(const TestDatabase& database)
        : store_(clickhouse::open(database.url(), {}, "")),
          reader_(store_->reader()),
          session_(database.connect(), std::make_shared<clickhouse::SnapshotSource>(1000)) {
        session_.set_layout(
            clickhouse::require_tables(session_.connection(), clickhouse::OlderTables::kRead));
        session_.refresh();
    }

    [[nodiscard]] store::StoreReader& reader() { return *reader_; }
    [[nodiscard]] clickhouse::ReadSession& session() { return session_; }
    [[nodiscard]] clickhouse::FilterSql filter(const GameFilter& filter) {
        return clickhouse::filter_sql(session_, *reader_, filter);
    }
    /// Returns SQL for the sums that answer a question about the start position.
    [[nodiscard]] std::string sums(const GameFilter& filter,
                                   const clickhouse::SumsAsked& asked = {}) {
        const clickhouse::FilterSql sql = this->filter(filter);
        const clickhouse::Keys keys{chess::AnyPosition().key()};
        return clickhouse::SummedKeys(session_, sql, keys, asked).sql_sums();
    }
    [[nodiscard]] bool are_fine(const GameFilter& filter, const clickhouse::SumsAsked& asked = {}) {
        return sums(filter, asked).find("fine_sum") != std::string::npos;
    }

  private:
    std::shared_ptr<store::Store> store_;
    store::Reader reader_;
    clickhouse::ReadSession session_;
};

/// Returns how many pushes have fine sums of how many positions.
std::pair<std::uint64_t, std::uint64_t> fine_positions(Connection& connection) {
    const std::string from = " FROM fine_sum WHERE" + kComplete;
    return {number(connection, "SELECT uniqExact(push)" + from),
            number(connection, "SELECT uniqExact(key)" + from)};
}

GameFilter blitz() {
    GameFilter filter;
    filter.time_classes = std::vector{codec::TimeClass::kBlitz};
    return filter;
}

}  // namespace

TEST_CASE("Sums of an explorer's filters are those of the file", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const int rounds = at_size(4, 20);
    claim_first_origin(database);
    // Three pushes: two with fine sums, and one that has too few games for them.
    import_into(file, {folder.write("many.pgn", explorer_games(1, 10'300))});
    push_games(file, database, 5000);
    Connection connection = database.connect();
    const auto [pushes, positions] = fine_positions(connection);
    CHECK(pushes == 2);
    CHECK(positions >= 2);
    {
        Seen seen(database);
        CHECK(seen.are_fine(blitz()));
        CHECK(seen.are_fine(blitz(), {.named_games = 4}));
        CHECK_FALSE(seen.are_fine(blitz(), {.named_games = 5}));
        CHECK(seen.are_fine({}, {.by_month = true}));
        CHECK(seen.sums({}).find("position_sum") != std::string::npos);
        GameFilter rated;
        rated.mode = codec::Mode::kRated;
        CHECK(seen.sums(rated).empty());
        CHECK(compare(file, seen.reader(), 1, rounds) > rounds / 6);
    }
    // So many games fit that those after each move are not counted where sums show their number,
    // and those to name are read by another query.
    for (const Words& filter : {Words{"--max-plies", "300"}, {"--player", "player 1"}}) {
        const auto tree = [&](const std::string& location) {
            Words words{"tree", location, "--format", "json", "--quiet"};
            words.insert(words.end(), filter.begin(), filter.end());
            // The ids of games in a cluster begin with their origin.
            return std::regex_replace(run(words).out, std::regex("\"game_id\":[0-9]+"),
                                      "\"game_id\":0");
        };
        const std::string of_file = tree(file);
        const auto first = nlohmann::json::parse(of_file);
        CHECK(first["games"] >= 5000);
        CHECK(first["moves"][0]["games"] > 1024);
        CHECK((tree(database.url()) == of_file));
    }
    // Lost sums are an error. The next push makes them again, and as it has more games, too, the
    // pushes are joined.
    const std::string lost = clickhouse::local_name("fine_sum", !database.cluster().empty());
    for (const std::string& host : database.hosts()) {
        Connection of_host(clickhouse::parse_url("clickhouse://" + host + "/" + database.name()),
                           "");
        of_host.run("ALTER TABLE " + lost + " DROP PARTITION " +
                    std::to_string(clickhouse::push_number(kOrigin, 1)));
    }
    CHECK(check(file, database).differences.size() == 1);
    CHECK_THROWS_WITH(
        clickhouse::open(database.url(), {}, "")->reader(),
        Catch::Contains("table fine_sum has 0 rows of push 1 of origin 1 instead of"));
    import_into(file, {folder.write("few.pgn", explorer_games(2, 40))});
    const clickhouse::PushSummary mended = push_games(file, database, 5000);
    CHECK(mended.mended.size() == 1);
    CHECK(mended.not_tidied.empty());
    CHECK(clickhouse::Ledger(connection).pushes_of(kOrigin).complete.size() == 1);
    CHECK(fine_positions(connection).first == 1);
    CHECK(check(file, database).differences.empty());
    {
        Seen seen(database);
        CHECK(seen.are_fine(blitz()));
        CHECK(compare(file, seen.reader(), 2, rounds) > rounds / 6);
    }
    // Games are taken back. All of them had the start position.
    std::vector<store::GameId> deleted;
    for (store::GameId game = 3; game < 10'000; game += 500) deleted.push_back(game);
    delete_games(file, deleted);
    CHECK(push_games(file, database, 5000).taken_back == deleted.size());
    {
        Seen seen(database);
        CHECK_FALSE(seen.are_fine(blitz()));
        CHECK(compare(file, seen.reader(), 3, rounds) > rounds / 6);
    }
}

TEST_CASE("The ids that a filter sends are those of fewer games", "[clickhouse]") {
    const TestDatabase database(GENERATE(kTwoShards, kNewEngine));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    import_into(file, {folder.write("many.pgn", explorer_games(8, 3000))});
    push_games(file, database);
    Seen seen(database);
    const clickhouse::Keys keys{chess::AnyPosition().key()};
    GameFilter few;
    few.mode = codec::Mode::kCasual;
    few.result = codec::Result::kDraw;
    GameFilter all;
    all.plies.low = 1;
    for (const GameFilter& filter : {few, all}) {
        const std::uint64_t fitting = seen.reader().engine().count_games(filter, {});
        CAPTURE(fitting);
        const auto rows_with = [&](std::uint64_t most_sent) {
            clickhouse::FilterSql sql = seen.filter(filter);
            sql.send_fewer(seen.session(), keys, most_sent);
            const std::string rows = clickhouse::sql_rows(seen.session().snapshot(), sql, keys);
            const bool sends_position =
                rows.find("GLOBAL IN (SELECT game FROM posting") != rows.npos;
            CHECK(number(seen.session().connection(),
                         "SELECT count() FROM posting WHERE first_of_key = 1 AND " + rows) ==
                  fitting);
            return sends_position;
        };
        CHECK(rows_with(3000));  // no more games have reached it
        CHECK(rows_with(2999) == (fitting == 3000));
    }
}

TEST_CASE("A cluster of an older fendex has no fine sums and records until its next push",
          "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kOneServer))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    claim_first_origin(database);
    import_into(file, {folder.write("many.pgn", explorer_games(5, 4000))});
    push_games(file, database);
    Connection connection = database.connect();
    // As format 2 left it: without the tables, and without their numbers of rows in the ledger.
    connection.run("DROP TABLE fine_sum");
    connection.run("DROP TABLE record");
    connection.run("CREATE TABLE older ENGINE = Log AS SELECT * FROM push");
    connection.run("TRUNCATE TABLE push");
    std::string values;
    for (const clickhouse::Column& column : clickhouse::table_named("push").columns) {
        values += (values.empty() ? "SELECT " : ", ") +
                  (column.name == "format"        ? "toUInt32(2)"
                   : column.name == "stored_rows" ? "arrayPopBack(arrayPopBack(stored_rows))"
                                                  : column.name);
    }
    connection.run("INSERT INTO push " + values + " FROM older");
    connection.run("DROP TABLE older");
    CHECK(check(file, database).differences.empty());
    connection.run("ALTER TABLE push DROP COLUMN records_mark");
    CHECK_THROWS_WITH(check(file, database),
                      Catch::Contains("by an older fendex (column push.records_mark is missing)"));
    Seen older(database);
    CHECK_FALSE(older.are_fine(blitz()));
    CHECK(compare(file, older.reader(), 5, 3) > 0);

    // Its next push makes the table, and sums of the new games; the older ones have none. A reader
    // that was open before answers as before.
    import_into(file, {folder.write("more.pgn", explorer_games(6, 4000)),
                       folder.write("records.epd",
                                    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 25;\n"
                                    "8/8/8/8/8/4k3/8/4K2R w - - ce 500;\n")});
    CHECK(push_games(file, database).mended.empty());
    CHECK(fine_positions(connection).first == 1);
    CHECK(check(file, database).differences.empty());
    std::this_thread::sleep_for(clickhouse::SnapshotSource::kFresh);
    older.reader().refresh();
    CHECK(compare(file, older.reader(), 6, 3) > 0);
    codec::PositionRecord record;
    CHECK(older.reader().records()->count() == 2);
    CHECK(older.reader().records()->find(chess::AnyPosition(), record));
    Seen newer(database);
    CHECK(newer.are_fine(blitz()));
    CHECK(compare(file, newer.reader(), 7, 6) > 0);
}
