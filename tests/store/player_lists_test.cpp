// The lists of players: with them, each question has the answer of a look at all games and names,
// and after whatever a writer does to games and names.
#include "store/player_lists.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/text_fold.hpp"
#include "codec/game_codes.hpp"
#include "ingest/importer.hpp"
#include "query/alike_names.hpp"
#include "store/name_index.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/tables/player_lists.hpp"
#include "store/sqlite/upgrade/upgrade.hpp"
#include "support/delete_games.hpp"
#include "support/engine_comparison.hpp"
#include "support/process.hpp"
#include "support/sanitizers.hpp"
#include "upkeep/compact.hpp"
#include "upkeep/database_check.hpp"
#include "upkeep/repair.hpp"

namespace {

using namespace fendex;
using store::ListSizes;

store::GameId last_game(const std::string& path) {
    return store::file_store(path)->reader()->last_game();
}

/// Makes lists with small ranges, as an import makes large ones.
void add_lists(const std::string& path, const ListSizes& sizes) {
    const store::GameId last = last_game(path);
    store::Connection connection = store::open_database(path, store::Connection::Mode::kReadWrite);
    connection.run("BEGIN IMMEDIATE");
    store::PlayerListWriter writer(connection, sizes);
    writer.load(last);
    while (writer.extend(last, 3)) {
    }
    connection.run("COMMIT");
}

/// The last game and the last name of the lists that a reader uses.
std::pair<store::GameId, std::int64_t> listed(const std::string& path) {
    const auto reader = store::file_store(path)->reader();
    const store::PlayerLists* const lists = reader->local()->player_lists();
    return {lists->last_game(), lists->last_name()};
}

/// Asks an engine that uses the lists, and one that looks at each game.
void compare(const std::string& path, int rounds = 12) {
    CHECK(upkeep::check_database(path, {}).findings.empty());
    test::Comparison(store::file_store(path)->reader(), {{path, 0}}).ask(17, rounds);
}

}  // namespace

TEST_CASE("With lists of players, answers are those of a look at each game") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    ingest::import_files(path,
                         {FENDEX_SAMPLES "/classics.pgn", FENDEX_SAMPLES "/curiosities.pgn",
                          FENDEX_SAMPLES "/marx-gyorgy-2006.pgn"},
                         {});
    const std::uint64_t games = last_game(path);
    REQUIRE(games > 60);
    CHECK(listed(path) == std::pair<store::GameId, std::int64_t>(0, 0));
    const std::string plain = directory / "plain.db";
    std::filesystem::copy_file(path, plain);
    add_lists(path, {7, 5});
    const auto lists = listed(path);
    REQUIRE(lists.first == games / 7 * 7);
    REQUIRE(lists.second % 5 == 0);
    REQUIRE(lists.second > 50);

    SECTION("as they were made") { compare(path, 40); }
    SECTION("names, and names like them") {
        const auto store = store::file_store(path);
        const auto with = store->reader();
        const auto without = store::file_store(plain)->reader();
        base::StopCheck stop({});
        for (const std::string typed :
             {"morphy", "m", "paul morphy", "ander", "a e", "nobody", "e"}) {
            CAPTURE(typed);
            const base::NameWords words(typed);
            using store::NameKind;
            CHECK(store::codes_with_words(*with->local(), NameKind::kPlayer, words, stop) ==
                  store::codes_with_words(*without->local(), NameKind::kPlayer, words, stop));
            CHECK(store::codes_beginning(*with->local(), NameKind::kPlayer, typed, stop) ==
                  store::codes_beginning(*without->local(), NameKind::kPlayer, typed, stop));
            store::GameFilter filter;
            filter.player = typed;
            store::StoreReader* const readers[] = {with.get(), without.get()};
            const auto names = query::alike_names(std::span(readers).first(1), filter, {});
            const auto expected = query::alike_names(std::span(readers).last(1), filter, {});
            REQUIRE(names.size() == expected.size());
            for (std::size_t i = 0; i < names.size(); ++i) {
                CHECK(names[i].name == expected[i].name);
                CHECK(names[i].games == expected[i].games);
            }
        }
    }
    SECTION("after games and names were deleted, and others came") {
        std::vector<store::GameId> gone;
        for (store::GameId game = 1; game <= games; game += 3) gone.push_back(game);
        // The last names may be given to others now.
        for (store::GameId game = games - 30; game <= games; ++game) gone.push_back(game);
        test::delete_games(path, gone);
        CHECK(listed(path).first == lists.first);
        const std::int64_t cut = listed(path).second;
        CHECK(cut < lists.second);
        compare(path);
        ingest::import_files(path, {FENDEX_SAMPLES "/online.pgn"}, {});
        compare(path);
        add_lists(path, {7, 5});
        CHECK(listed(path).second > cut);
        compare(path);
    }
    SECTION("after all games were deleted") {
        std::vector<store::GameId> all(games);
        std::iota(all.begin(), all.end(), 1);
        test::delete_games(path, all);
        CHECK(listed(path).second == 0);
        CHECK(upkeep::check_database(path, {}).findings.empty());
        ingest::import_files(path, {FENDEX_SAMPLES "/online.pgn"}, {});
        compare(path);
    }
    SECTION("after a compaction and a repair") {
        upkeep::compact(path, {});
        CHECK(listed(path) == lists);
        compare(path);
        static_cast<void>(upkeep::repair_database(path, {}));
        CHECK(listed(path) == std::pair<store::GameId, std::int64_t>(0, 0));
        compare(path);
    }
    SECTION("with lists of all games and names of a range of one") {
        store::Connection(path, store::Connection::Mode::kReadWrite)
            .run("DROP TABLE player_game; DROP TABLE player_word");
        add_lists(path, {1, 1});
        CHECK(listed(path).first == games);
        compare(path);
    }
}

TEST_CASE("Lists end before games that are taken back") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    ingest::import_files(path, {FENDEX_SAMPLES "/classics.pgn"}, {});
    add_lists(path, {7, 100});
    const auto before = listed(path);
    REQUIRE(before.first == 35);
    for (const auto& [last, listed_last] :
         {std::pair(36U, 35U), {35U, 35U}, {34U, 28U}, {7U, 7U}, {3U, 0U}, {0U, 0U}}) {
        CAPTURE(last);
        {
            store::Connection connection =
                store::open_database(path, store::Connection::Mode::kReadWrite);
            connection.run("BEGIN IMMEDIATE");
            store::PlayerListWriter writer(connection, {7, 100});
            writer.load(last_game(path));
            writer.cut_games(last);
            connection.run("COMMIT");
        }
        CHECK(listed(path) == std::pair(store::GameId{listed_last}, before.second));
        compare(path, 1);
    }
    add_lists(path, {7, 100});
    CHECK(listed(path) == before);
    compare(path, 1);
}

TEST_CASE("Lists that a program did not know which has written last are not used, and go") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    ingest::import_files(path, {FENDEX_SAMPLES "/classics.pgn"}, {});
    add_lists(path, {3, 3});
    REQUIRE(listed(path).first > 0);
    store::Connection(path, store::Connection::Mode::kReadWrite)
        .run("DELETE FROM meta WHERE name = 'row_sums'");
    CHECK(listed(path) == std::pair<store::GameId, std::int64_t>(0, 0));
    compare(path, 3);
    SECTION("with an upgrade") {
        store::Connection(path, store::Connection::Mode::kReadWrite)
            .run("UPDATE meta SET value = 0 WHERE name = 'openings'");
        REQUIRE(store::upgrade_database(path).end == store::UpgradeReport::End::kDone);
        CHECK(listed(path) == std::pair<store::GameId, std::int64_t>(0, 0));
    }
    SECTION("with an import") {}
    ingest::import_files(path, {FENDEX_SAMPLES "/marx-gyorgy-2006.pgn"}, {});
    const store::Connection connection(path, store::Connection::Mode::kReadOnly);
    CHECK(connection.number("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'player\\__%'"
                            " ESCAPE '\\'") == 0);
}

TEST_CASE("A check finds damaged lists of players, and readers refuse or do not need them") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    ingest::import_files(path, {FENDEX_SAMPLES "/classics.pgn"}, {});
    add_lists(path, {9, 9});
    const auto intact = store::file_store(path)->reader();
    store::GameFilter filter;
    filter.player = "morphy";
    const std::uint64_t expected = intact->engine().count_games(filter, {});
    REQUIRE(expected > 2);
    const auto [sql, is_refused] = GENERATE(table<std::string, bool>({
        {"UPDATE player_game SET data = data || x'00' WHERE first_game = 1", true},
        {"UPDATE player_word SET data = data || x'00' WHERE first_id = 1", true},
        {"UPDATE player_game SET first_game = 2 WHERE first_game = 1", false},
        {"DELETE FROM player_game WHERE first_game = 10", false},
        {"DELETE FROM player_game WHERE first_game = (SELECT max(first_game) FROM player_game)",
         false},
        {"DELETE FROM player_word WHERE first_id = (SELECT max(first_id) FROM player_word)", false},
        {"DELETE FROM player_word", false},
        {"UPDATE player_game SET first_game = 9.5 WHERE first_game = 10", false},
        {"UPDATE player_word SET first_id = 'x' WHERE first_id = 10", false},
        {"DROP TABLE player_word", false},
        {"DROP TABLE player_game", false},
    }));
    CAPTURE(sql);
    store::Connection(path, store::Connection::Mode::kReadWrite).run(sql);
    CHECK_FALSE(upkeep::check_database(path, {}).findings.empty());
    const auto reader = store::file_store(path)->reader();
    if (is_refused) {
        CHECK_THROWS_AS(reader->engine().count_games(filter, {}), store::DamageError);
    } else {
        CHECK(reader->engine().count_games(filter, {}) == expected);
    }
    static_cast<void>(upkeep::repair_database(path, {}));
    compare(path, 3);
}

TEST_CASE("Readers notice each lost row of the lists of players") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    const std::string archive = directory / "games.pgn";
    {
        // The games of one fill several rows; there are many names.
        std::ofstream out(archive);
        for (int i = 0; i < 30'000; ++i) {
            out << "[White \"" << (i % 2 == 0 ? "Often" : "Name" + std::to_string(i * 7919))
                << "\"]\n[Black \"Player" << i % 3000 << "\"]\n\n*\n\n";
        }
    }
    ingest::import_files(path, {archive}, {});
    add_lists(path, {30'000, 18'000});
    REQUIRE(listed(path) == std::pair<store::GameId, std::int64_t>(30'000, 18'000));
    std::vector<std::string> conditions;
    {
        const store::Connection connection(path, store::Connection::Mode::kReadOnly);
        store::Statement select(
            connection,
            "SELECT '_word WHERE first_id = 1 AND hex(first_word) = ' || quote(hex(first_word))"
            " FROM player_word WHERE first_id = 1"
            " UNION ALL SELECT printf('_game WHERE first_game = 1 AND first_player = %d AND"
            " part = %d', first_player, part) FROM player_game WHERE first_game = 1");
        // Some of the many rows, and all that go on with the games of a player.
        for (int i = 0; select.step(); ++i) {
            const std::string each(select.text(0));
            const bool goes_on = each.starts_with("_game") && !each.ends_with("part = 0");
            if (i % 10 == 0 || goes_on) conditions.push_back(each);
        }
    }
    REQUIRE(conditions.size() > 10);
    REQUIRE(std::ranges::any_of(
        conditions, [](const std::string& each) { return each.ends_with("part = 1"); }));
    std::vector<std::uint32_t> players(18'001);
    std::iota(players.begin(), players.end(), 2U);
    base::StopCheck stop({});
    const std::string damaged = directory / "damaged.db";
    for (const std::string& condition : conditions) {
        CAPTURE(condition);
        std::filesystem::copy_file(path, damaged,
                                   std::filesystem::copy_options::overwrite_existing);
        store::Connection(damaged, store::Connection::Mode::kReadWrite)
            .run("DELETE FROM player" + condition);
        const auto reader = store::file_store(damaged)->reader();
        store::PlayerLists& lists = *reader->local()->player_lists();
        int noticed = 0;
        for (const char first : base::kWordLetters) {
            try {
                lists.for_each_name(std::string(1, first), stop,
                                    [](std::int64_t, std::string_view) {});
            } catch (const store::DamageError&) {
                ++noticed;
            }
        }
        try {
            lists.for_each_game(players, stop, [](std::uint32_t, store::GameId, chess::Color) {});
        } catch (const store::DamageError&) {
            ++noticed;
        }
        CHECK(noticed > 0);
    }
}

TEST_CASE("Names that are too long for lists are read, and stop no import") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    const std::string archive = directory / "games.pgn";
    {
        std::ofstream out(archive);
        std::string name;
        for (int i = 0; i < 20'000; ++i) name += "a b ";
        out << "[White \"Short\"]\n[Black \"Brief\"]\n\n1. e4 *\n\n[White \"" << name
            << "\"]\n[Black \"Short\"]\n\n1. d4 *\n\n";
    }
    ingest::import_files(path, {archive}, {});
    add_lists(path, {1, 2});
    CHECK(listed(path) == std::pair<store::GameId, std::int64_t>(2, 2));
    add_lists(path, {1, 1});
    CHECK(listed(path) == std::pair<store::GameId, std::int64_t>(2, 2));
    CHECK(upkeep::check_database(path, {}).findings.empty());
    for (const std::string words : {"a b a", "short", "brief"}) {
        store::GameFilter filter;
        filter.player = words;
        const auto reader = store::file_store(path)->reader();
        CHECK(reader->engine().count_games(filter, {}) == (words == "short" ? 2 : 1));
    }
}

TEST_CASE("An import of many games and names makes lists of players", "[full]") {
    if (test::skip_when_sanitized()) return;
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    const std::string archive = directory / "games.pgn";
    const ListSizes sizes;
    const auto name_of = [&](std::uint64_t game) {
        const std::uint64_t names = 2 * static_cast<std::uint64_t>(sizes.names);
        return "Player" + std::to_string(game * 7919 % names);
    };
    {
        std::ofstream out(archive);
        for (std::uint64_t i = 0; i < sizes.games + 5; ++i) {
            out << "[White \"" << name_of(i) << "\"]\n[Black \"x\"]\n\n*\n\n";
        }
    }
    ingest::import_files(path, {archive}, {});
    CHECK(listed(path) == std::pair(store::GameId{sizes.games}, 2 * sizes.names));
    CHECK(upkeep::check_database(path, {}).findings.empty());
    const auto reader = store::file_store(path)->reader();
    for (const std::string player : {"Player77", "Player7919", "x"}) {
        store::GameFilter filter;
        filter.player = base::fold(player);
        std::uint64_t expected = 0;
        for (std::uint64_t i = 0; i < sizes.games + 5; ++i) {
            expected += player == "x" || name_of(i).starts_with(player) ? 1U : 0U;
        }
        CHECK(reader->engine().count_games(filter, {}) == expected);
    }
}
