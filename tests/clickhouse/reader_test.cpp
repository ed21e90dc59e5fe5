// A reader of a cluster returns what SQLite's reader of the pushed database returns, and asks the
// server for many games at once.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "clickhouse/game_rows.hpp"
#include "clickhouse/open.hpp"
#include "clickhouse/program.hpp"
#include "clickhouse/reader_text.hpp"
#include "clickhouse/repetition_rows.hpp"
#include "clickhouse/servers.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using store::GameId;

/// Games that exercise tags: doubles, empty values, several lines, none at all; and games that
/// cannot be read.
constexpr char kOddGames[] = R"([Event "A"]
[White "First"]
[White "Second"]
[Black ""]
[WhiteElo "2500?"]
[BlackElo "0200"]
[Date "1999.00.??"]
[UTCDate "1999.02.03"]
[Termination "Normal"]
[Termination "Time forfeit"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 {a comment} (2... d6 3. d4 (3. Bc4 Be7)) 3. Bb5 a6 1-0

1. d4 d5 2. c4 *

[Event "No moves"]
[Note "a \"quoted\" \\ text"]
[Result "1/2-1/2"]

1/2-1/2

[Event "Broken"]
[White "One"]
[Black "Two"]
[Result "0-1"]

1. e4 e5 2. Nf6 Nc6 0-1

[Variant "Unknown rules"]
[Event "Other"]

1. e4 e5 *

[FEN "8/8/8/4k3/8/8/4P3/4K3 w - - 95 80"]
[SetUp "1"]
[Result "*"]

1. Kd2 Kd4 2. Ke1 Ke5 3. Kd2 Kd4 4. Ke1 Ke5 5. Kd2 Kd4 6. Ke1 Ke5 *
)";

std::vector<GameId> numbers(GameId first, GameId last) {
    std::vector<GameId> out(last < first ? 0 : last - first + 1);
    std::iota(out.begin(), out.end(), first);
    return out;
}

void require_equal(const std::string& what, const ReaderText::Lines& cluster,
                   const ReaderText::Lines& file) {
    INFO(what);
    for (std::size_t i = 0; i < std::min(cluster.size(), file.size()); ++i) {
        if (cluster[i] != file[i]) {
            INFO("line " << i);
            REQUIRE(cluster[i] == file[i]);
        }
    }
    REQUIRE(cluster.size() == file.size());
}

/// Compares all that both readers return.
void compare(store::StoreReader& of_cluster, store::StoreReader& of_file,
             clickhouse::Origin origin) {
    ReaderText cluster(of_cluster, origin);
    ReaderText file(of_file);
    require_equal("counts", cluster.counts(), file.counts());
    require_equal("facts", cluster.facts(), file.facts());
    const GameId last = of_file.last_game();
    std::vector<GameId> backwards = numbers(1, last + 1);
    std::reverse(backwards.begin(), backwards.end());
    const std::vector<std::vector<GameId>> lists = {
        numbers(1, last), backwards, {last + 5, 3, 1, 3, last, 2}, {1}};
    for (const std::vector<GameId>& games : lists) {
        require_equal("headers", cluster.headers(games), file.headers(games));
        require_equal("moves", cluster.moves(games), file.moves(games));
        require_equal("games", cluster.games(games), file.games(games));
    }
    require_equal("annotations", cluster.annotations(backwards), file.annotations(backwards));
    require_equal("one by one", cluster.one_by_one(numbers(1, last + 1)),
                  file.one_by_one(numbers(1, last + 1)));
    require_equal("scan", cluster.scans(1, ~std::size_t{0}), file.scans(1, ~std::size_t{0}));
    require_equal("scan from the middle", cluster.scans(last / 2, 7), file.scans(last / 2, 7));
    require_equal("imports", cluster.imports(), file.imports());
}

/// A file with samples, games of all variants and odd games, with annotations.
std::string import_games(const TemporaryDirectory& folder) {
    const std::string file = folder / "first.db";
    must_run({"import", file, "--variations", "--quiet", FENDEX_SAMPLES,
              std::string(FENDEX_TEST_DATA) + "/variants/games.pgn",
              folder.write("odd.pgn", kOddGames)});
    return file;
}

store::Reader reader_of(const TestDatabase& database) {
    return clickhouse::open(database.url(), {}, "")->reader();
}

}  // namespace

TEST_CASE("A reader of a cluster returns the same as a reader of the file", "[clickhouse][full]") {
    const TestDatabase database(GENERATE(from_range(at_full_size_all(kTwoShards))));
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = import_games(folder);
    push(file, database);
    compare(*reader_of(database), *store::file_store(file)->reader(), 0);

    // More games, and some are deleted.
    const std::string more = std::string(FENDEX_TEST_DATA) + "/repeats/pgn-extract.pgn";
    must_run({"import", file, "--quiet", more});
    must_run({"delete", file, "--games", "2,3,70,140", "--quiet"});
    push(file, database);
    compare(*reader_of(database), *store::file_store(file)->reader(), 0);

    const std::string second = folder / "second.db";
    must_run(
        {"import", second, "--variations", "--quiet", std::string(FENDEX_SAMPLES) + "/online.pgn"});
    push(second, database);
    const store::Reader of_both = reader_of(database);
    const store::Reader of_second = store::file_store(second)->reader();
    ReaderText both(*of_both, 1);
    ReaderText alone(*of_second);
    require_equal("another origin", both.one_by_one({1, 2, 3}), alone.one_by_one({1, 2, 3}));
    require_equal("another origin", both.scans(1, ~std::size_t{0}),
                  alone.scans(1, ~std::size_t{0}));
}

TEST_CASE("A reader of a cluster makes no round trip per game", "[clickhouse]") {
    const TestDatabase database(kOneServer);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    push(import_games(folder), database);
    const auto source = std::make_shared<clickhouse::SnapshotSource>(1000);
    clickhouse::ReadSession session(database.connect(), source);
    session.refresh();
    clickhouse::ExpectedGames expected;
    clickhouse::GameRows games(session, expected);
    clickhouse::RowsOfGame repetitions(session, expected, clickhouse::kRepetitions);
    clickhouse::RowsOfGame quiet_runs(session, expected, clickhouse::kQuietRuns);
    const GameId last = session.snapshot().last_game();
    REQUIRE(last > 100);
    const auto requests_of = [&](const std::function<void()>& work) {
        const std::uint64_t before = session.connection().requests();
        work();
        const std::uint64_t requests = session.connection().requests() - before;
        expected.clear();
        games.forget();
        repetitions.forget();
        quiet_runs.forget();
        return requests;
    };
    const auto ignore = [](GameId, const clickhouse::GameRows::Row&) {};
    const auto ask_of_one = [&](GameId game) {
        games.list(clickhouse::GameRows::kFacts, {&game, 1}, ignore);
        games.list(clickhouse::GameRows::kAnnotation, {&game, 1}, ignore);
        static_cast<void>(repetitions.read(game));
        static_cast<void>(quiet_runs.read(game));
    };
    const std::vector<GameId> all = numbers(1, last);
    constexpr unsigned kWhole = clickhouse::GameRows::kMoves | clickhouse::GameRows::kTags;
    CHECK(requests_of([&] {
              games.list(kWhole, all, [&](GameId game, const auto&) { ask_of_one(game); });
          }) == 4);
    CHECK(requests_of([&] {
              games.scan(kWhole, 1, [&](GameId game, const auto&) {
                  ask_of_one(game);
                  return true;
              });
          }) <= 5);
    // The tags of few games come with the moves.
    CHECK(requests_of([&] {
              games.list(clickhouse::GameRows::kMoves, std::span(all).first(50), ignore);
              games.list(clickhouse::GameRows::kTags, std::span(all).subspan(10, 20), ignore);
          }) == 1);
    // Numbers one after the other, each more at once.
    CHECK(requests_of([&] {
              for (const GameId game : all) ask_of_one(game);
          }) < 60);
}

TEST_CASE("Only a push writes to a cluster", "[clickhouse]") {
    CHECK_THROWS_WITH(clickhouse::open("clickhouse://127.0.0.1:1/chess", {}, "")->writer(),
                      Catch::Contains("fendex push"));
}

TEST_CASE("A reader sees later pushes only after refresh()", "[clickhouse]") {
    const TestDatabase database(kOneServer);
    if (!database.is_there()) return;
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    const std::string samples = FENDEX_SAMPLES;
    must_run({"import", file, "--quiet", samples + "/online.pgn"});
    push(file, database);
    const auto store = clickhouse::open(database.url(), {}, "");
    const store::Reader reader = store->reader();
    const std::uint64_t games = reader->info().games;
    const std::uint64_t snapshot = reader->snapshot();
    const store::SnapshotCache* cache = &reader->snapshot_cache();
    CHECK(&store->reader()->snapshot_cache() == cache);
    must_run({"import", file, "--quiet", samples + "/classics.pgn"});
    push(file, database);
    CHECK(reader->info().games == games);
    CHECK(reader->last_game() == games);
    std::this_thread::sleep_for(clickhouse::SnapshotSource::kFresh);
    reader->refresh();
    CHECK(reader->info().games > games);
    CHECK(reader->snapshot() != snapshot);
    CHECK(&reader->snapshot_cache() != cache);
    const std::uint64_t same = reader->snapshot();
    std::this_thread::sleep_for(clickhouse::SnapshotSource::kFresh);
    reader->refresh();
    CHECK(reader->snapshot() == same);
}
