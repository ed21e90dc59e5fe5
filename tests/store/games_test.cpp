// Games are read as they were stored: exact tags in their order, facts, moves; after appending and
// rollbacks.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "codec/game_walk.hpp"
#include "replay/stored_walk.hpp"
#include "replay/tag_facts.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/store_fixtures.hpp"
#include "support/delete_games.hpp"
#include "support/first_wrong.hpp"

namespace {

using namespace fendex;
using test::GameBatch;
using test::Tags;
using test::TemporaryDirectory;
using test::TemporaryFile;
using test::TestGame;

Tags stored_tags(store::StoreReader& reader, store::GameId id) {
    store::StoredGame game;
    REQUIRE(reader.game(id, game));
    return game.tags;
}

template <typename Value, typename Fits>
std::vector<Value> only(const std::vector<Value>& values, Fits fits) {
    std::vector<Value> out;
    std::ranges::copy_if(values, std::back_inserter(out), fits);
    return out;
}

/// Stores games with these tags and checks that they read back.
void check_tags(const std::vector<Tags>& all) {
    const TemporaryDirectory directory;
    std::vector<TestGame> games;
    for (const Tags& tags : all) {
        TestGame& game = games.emplace_back();
        game.tags = tags;
        for (const auto& [name, value] : tags) {
            if (name == "Result") game.facts.result = codec::result_of(value);
        }
    }
    test::store_games(directory / "a.db", games, false);
    const auto reader = store::file_store(directory / "a.db")->reader();
    for (std::size_t i = 0; i < all.size(); ++i) {
        CAPTURE(i);
        CHECK(stored_tags(*reader, i + 1) == all[i]);
    }
    store::StoredGame none;
    CHECK_FALSE(reader->game(all.size() + 1, none));
    CHECK_FALSE(reader->game(0, none));
}

}  // namespace

TEST_CASE("Tags are read back unchanged, in their order") {
    check_tags({
        {},
        {{"Event", "F/S Return Match"},
         {"Site", "Belgrade, Serbia JUG"},
         {"Date", "1992.11.04"},
         {"Round", "29"},
         {"White", "Fischer, Robert J."},
         {"Black", "Spassky, Boris V."},
         {"Result", "1/2-1/2"}},
        {{"Result", "1-0"}, {"ECO", "C33"}, {"White", "b"}, {"Event", "a"}},
    });
}

TEST_CASE("Repeated, empty and odd tags are read back unchanged") {
    check_tags({
        {{"White", "a"}, {"White", "b"}, {"Opening", "c"}, {"White", "a"}, {"Opening", "c"}},
        {{"White", ""},
         {"Black", ""},
         {"Event", ""},
         {"Site", ""},
         {"Date", ""},
         {"Round", ""},
         {"Result", ""},
         {"WhiteElo", ""},
         {"BlackElo", ""},
         {"ECO", ""},
         {"FEN", ""},
         {"Other", ""}},
        {{"Date", "2014.3.1"}},
        {{"Date", "2014"}},
        {{"Date", "0000.00.00"}},
        {{"Date", "????.??.??"}, {"Date", "????.??.??"}},
        {{"Date", "2014.03.01"}, {"Date", "2015.03.01"}},
        {{"WhiteElo", "2500?"}, {"BlackElo", "02500"}},
        {{"WhiteElo", "0"}, {"BlackElo", "-"}},
        {{"WhiteElo", "99999999999"}, {"BlackElo", " 2500 "}},
        {{"Round", "1"}, {"Round", "1.1"}},
        {{"Round", "01"}},
        {{"Round", "?"}},
        {{"Round", "1e3"}},
        {{"Result", "1/2"}},
        {{"Result", "1-0"}, {"Result", "0-1"}},
        {{"Result", "white wins"}},
        {{"Site", "https://lichess.org/abcdefgh"}, {"Site", "http://"}},
        {{"Site", "12"}, {"White", "34"}, {"Event", "56"}, {"ECO", "78"}},
        {{"FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}},
        {{"FEN", "no position"}},
        {{"SetUp", "1"}, {"FEN", "8/8/8/8/8/8/8/K1k5 w - - 0 1"}},
        {{"A", "\"quoted\" \\ back\\\\slash"},
         {"B", "M\xC3\xBCller \xE2\x82\xAC"},
         {"C", "[x]{y};"}},
        {{"Opening", std::string(100, 'x')}, {"Opening", std::string(101, 'y')}, {"Opening", "z"}},
        {{"Annotator", std::string(100'000, 'x')}},
        {{"UTCTime", "12:00:00"}, {"TimeControl", "300+0"}, {"Termination", "Normal"}},
    });
}

TEST_CASE("Three hundred tags and random tags are read back unchanged") {
    Tags many;
    for (int i = 0; i < 300; ++i) {
        many.emplace_back("Tag" + std::to_string(i % 200), "value " + std::to_string(i % 7));
    }
    test::Random random(81);
    const std::vector<std::string> names{
        "White", "Black",    "Event",    "Site",    "Date",    "Round", "Result", "ECO",
        "FEN",   "WhiteElo", "BlackElo", "Opening", "UTCTime", "Link",  "A",      "SetUp"};
    const std::vector<std::string> values{
        "",       "1",          "0", "x",   "1-0", "1/2-1/2", "2014.03.01", "2500", "https://a/b",
        "a name", "????.??.??", "*", "B90", "+",   "\n"};
    std::vector<Tags> all{many};
    for (int game = 0; game < 300; ++game) {
        Tags& tags = all.emplace_back();
        for (std::uint64_t n = random() % 20; n > 0; --n) {
            tags.emplace_back(names[random() % names.size()], values[random() % values.size()]);
        }
    }
    check_tags(all);
}

TEST_CASE("The FEN tag is read back as written, also if it is not the canonical FEN") {
    const TemporaryDirectory directory;
    std::vector<TestGame> games(3);
    const std::string canonical = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
    const std::string another = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for (TestGame& game : games) game.start = *chess::parse_fen(canonical).position;
    games[0].tags = {{"FEN", canonical}, {"White", "a"}};
    games[1].tags = {{"White", "a"}, {"FEN", another}, {"SetUp", "1"}};
    games[2].tags = {{"FEN", canonical}, {"FEN", canonical}};
    test::store_games(directory / "a.db", games, false);
    const auto reader = store::file_store(directory / "a.db")->reader();
    for (store::GameId id = 1; id <= 3; ++id) {
        store::StoredGame game;
        REQUIRE(reader->game(id, game));
        CHECK(game.tags == games[id - 1].tags);
        CHECK(game.moves.start == canonical);
        CHECK(replay::walk(id, game.moves).position().same_as(games[0].start));
    }
}

TEST_CASE("Moves and headers are read back unchanged over chunks of facts and several imports") {
    const TemporaryFile path("a.db");
    test::Random random(82);
    std::vector<TestGame> games;
    // Imports end before, on and after the border of a chunk.
    for (const std::size_t until :
         {std::size_t{1}, codec::kGamesPerChunk - 1, codec::kGamesPerChunk,
          codec::kGamesPerChunk + 1, 2 * codec::kGamesPerChunk + 100}) {
        std::vector<TestGame> part;
        while (games.size() + part.size() < until) {
            TestGame game = test::random_game_of(random, 1 + static_cast<unsigned>(random() % 6));
            const std::string number = std::to_string(games.size() + part.size() + 1);
            game.tags = {{"Event", "e" + std::to_string(random() % 5)}, {"Round", number}};
            part.push_back(std::move(game));
        }
        test::store_games(path, part, random() % 2 == 0);
        games.insert(games.end(), part.begin(), part.end());
    }
    const auto writer = store::open_sqlite_writer(path);
    REQUIRE(writer->next_game() == games.size() + 1);
    test::FirstWrong wrong;
    for (std::size_t i = 0; i < games.size(); ++i) {
        wrong.check(writer->facts(i + 1) == games[i].facts,
                    [&] { return "facts of game " + std::to_string(i + 1); });
    }
    CHECK(wrong.text() == "");
    writer->close();

    const auto reader = store::file_store(path)->reader();
    CHECK(reader->info().games == games.size());
    store::GameId expected = 1;
    reader->for_each_moves(1, [&](store::GameId id, const store::StoredMoves& stored) {
        const TestGame& game = games[id - 1];
        const auto check = [&](bool right, const char* what) {
            wrong.check(right,
                        [&] { return what + std::string(" of game ") + std::to_string(id); });
        };
        check(id == expected++, "the number");
        check(stored.facts.plies == game.moves.size(), "the plies");
        codec::GameWalk walk = replay::walk(id, stored);
        for (; !walk.at_end(); walk.advance()) {
            check(walk.next_move() == game.moves[walk.ply()], "a move");
        }
        replay::require_intact(id, walk);
        return true;
    });
    CHECK(wrong.text() == "");
    CHECK(expected == games.size() + 1);
    for (const store::GameId id : {store::GameId{1}, store::GameId{4096}, store::GameId{4097}}) {
        store::GameHeader header;
        REQUIRE(reader->header(id, header));
        CHECK(header.id == id);
        CHECK(header.event == games[id - 1].tags[0].second);
        CHECK(header.round == std::to_string(id));
        CHECK_FALSE(header.white);
        CHECK(header.result == games[id - 1].facts.result);
        CHECK(header.plies == games[id - 1].moves.size());
    }
    std::size_t seen = 0;
    reader->for_each_moves(100, [&](store::GameId id, const store::StoredMoves&) {
        CHECK(id == 100 + seen);
        return ++seen < 3;
    });
    CHECK(seen == 3);
}

TEST_CASE("Facts of every game are read at random access, and other numbers have none") {
    const TemporaryFile path("a.db");
    test::Random random(86);
    std::vector<TestGame> games;
    for (const std::size_t count : {codec::kGamesPerChunk - 2, std::size_t{5}, std::size_t{4100}}) {
        std::vector<TestGame> part;
        while (part.size() < count) part.push_back(test::random_game_of(random, 2));
        test::store_games(path, part, false);
        games.insert(games.end(), part.begin(), part.end());
    }
    const auto writer = store::open_sqlite_writer(path);
    const auto reader = store::file_store(path)->reader();
    test::FirstWrong wrong;
    const auto check = [&](std::size_t at) {
        wrong.check(reader->facts(at + 1) == games[at].facts,
                    [&] { return "facts of game " + std::to_string(at + 1); });
    };
    for (std::size_t i = 0; i < games.size(); ++i) check(i);
    for (int i = 0; i < 20'000; ++i) check(random() % games.size());
    CHECK(wrong.text() == "");
    CHECK_THROWS_AS(reader->facts(0), store::StoreError);
    CHECK_THROWS_AS(reader->facts(games.size() + 1), store::StoreError);
    CHECK_THROWS_AS(reader->facts(games.size() + 1'000'000), store::StoreError);

    // refresh() shows what a later commit adds to the last chunk.
    GameBatch batch;
    batch.add(games.front());
    writer->add(batch.games());
    writer->commit();
    CHECK_THROWS_AS(reader->facts(games.size() + 1), store::StoreError);
    reader->refresh();
    CHECK(reader->facts(games.size() + 1) == games.front().facts);

    const std::vector<store::StoredSource> sources = reader->sources();
    REQUIRE(sources.size() == 3);
    CHECK(sources[1].id == 2);
    CHECK(sources[1].file.path == "test.pgn");
    CHECK(sources[1].first_game == codec::kGamesPerChunk - 1);
    CHECK(sources[1].games == 5);
}

TEST_CASE("Headers, moves and tags of several games come in the given order, near or far apart") {
    const TemporaryFile path("a.db");
    test::Random random(88);
    std::vector<TestGame> games;
    while (games.size() < 300) {
        TestGame game = test::random_game_of(random, 1 + static_cast<unsigned>(random() % 6));
        game.tags = {{"White", "w" + std::to_string(random() % 50)},
                     {"Round", std::to_string(games.size() + 1)}};
        games.push_back(std::move(game));
    }
    test::store_games(path, games, false);
    test::delete_games(path, {1, 7, 8, 9, 10, 11, 12, 40, 299, 300});
    const auto reader = store::file_store(path)->reader();
    const auto check = [&](const std::vector<store::GameId>& asked) {
        CAPTURE(asked);
        std::vector<store::GameId> expected;
        for (const store::GameId id : asked) {
            if (reader->has_game(id)) expected.push_back(id);
        }
        std::vector<store::GameId> found;
        reader->headers(asked, [&](const store::GameHeader& header) {
            found.push_back(header.id);
            REQUIRE(header.white == games[header.id - 1].tags[0].second);
            REQUIRE(header.round == std::to_string(header.id));
            // Another function may be called meanwhile.
            store::StoredMoves moves;
            REQUIRE(reader->moves(header.id, moves));
        });
        CHECK(found == expected);
        found.clear();
        reader->moves(asked, [&](store::GameId id, const store::StoredMoves& moves) {
            found.push_back(id);
            REQUIRE(moves.facts.plies == games[id - 1].moves.size());
            store::GameHeader header;
            REQUIRE(reader->header(id, header));
        });
        CHECK(found == expected);
        found.clear();
        reader->games(asked, [&](store::GameId id, const store::StoredGame& game) {
            found.push_back(id);
            REQUIRE(game.tags == games[id - 1].tags);
        });
        CHECK(found == expected);
    };
    check({});
    check({3, 4, 5, 6});
    check({1, 2, 3, 4, 5});
    check({5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
    check({7, 8, 9, 10});
    check({296, 297, 298, 299, 300});
    check({297, 298, 300, 301, 302});
    check({400, 401, 402, 403});
    check({0, 1, 2, 3, 4});
    check({6, 5, 4, 3});
    check({3, 4, 4, 5, 6});
    check({20, 100, 200, 290});
    for (int round = 0; round < 50; ++round) {
        std::vector<store::GameId> asked;
        store::GameId id = random() % 290;
        for (std::uint64_t left = 1 + random() % 20; left > 0; --left) {
            asked.push_back(id += 1 + random() % 3);
        }
        check(asked);
    }
}

TEST_CASE("Only the tags Variant and FEN decide the variant of a game") {
    for (const auto& [tag, expected] :
         {std::pair{"Event", false}, std::pair{"Variant", true}, std::pair{"FEN", true}}) {
        CAPTURE(tag);
        const TemporaryDirectory directory;
        std::vector<TestGame> games(3);
        games[1].tags = {{"White", "FEN"}, {tag, "Chess960"}};
        test::store_games(directory / "a.db", games, false);
        CHECK(store::file_store(directory / "a.db")->reader()->local()->may_have_variants() ==
              expected);
    }
}

TEST_CASE("The ranks of a game agree with its facts, whichever tags they come from") {
    const std::vector<Tags> all = {
        {},
        {{"Date", "1992.11.04"}, {"WhiteElo", "2785"}, {"BlackElo", "2560"}},
        {{"Date", "1992.11.??"}, {"WhiteElo", "2785"}},
        {{"Date", "1992.13.04"}, {"BlackElo", "12345"}},
        {{"Date", "1992-11-04"}, {"WhiteElo", "02785"}, {"BlackElo", "-"}},
        {{"Date", "about 1992"}, {"WhiteElo", " 2785"}, {"BlackElo", "2560?"}},
        {{"Date", "????.??.??"}, {"UTCDate", "2015.03.01"}, {"WhiteElo", "?"}},
        {{"UTCDate", "2015.03.01"}},
        {{"Date", "1992.11.04"}, {"UTCDate", "2015.03.01"}},
        // Facts have the last of several values.
        {{"Date", "1992.11.04"}, {"Date", "1993.11.04"}},
        {{"WhiteElo", "2785"}, {"WhiteElo", "2000"}},
        {{"BlackElo", "2785"}, {"BlackElo", ""}},
    };
    const TemporaryDirectory directory;
    std::vector<TestGame> games;
    std::vector<codec::GameRanks> expected;
    for (const Tags& tags : all) {
        TestGame& game = games.emplace_back();
        game.tags = tags;
        std::vector<store::TagPair> pairs;
        for (const auto& [name, value] : tags) pairs.push_back({name, value});
        replay::read_facts(pairs, codec::Result::kUnknown, game.facts);
        expected.push_back(codec::ranks_of(game.facts));
    }
    test::store_games(directory / "a.db", games, false);
    const auto reader = store::file_store(directory / "a.db")->reader();
    for (unsigned round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            CAPTURE(i);
            CHECK(reader->ranks(i + 1) == expected[i]);
        }
    }
    CHECK(expected[1] == codec::GameRanks{5345, 19'921'104});
    CHECK_THROWS_AS(reader->ranks(all.size() + 1), store::StoreError);
}

TEST_CASE("Damaged facts are an error that names the game") {
    const TemporaryFile path("a.db");
    test::store_games(path, std::vector<TestGame>(3), false);
    for (const auto& [sql, named] :
         {std::pair{"UPDATE fact SET data = x'00'", "table fact, row 0"},
          std::pair{"UPDATE fact SET data = substr(data, 1, 20)", "table fact, row 0"},
          std::pair{"DELETE FROM fact", "game 2"}}) {
        store::Connection(path, store::Connection::Mode::kReadWrite).run(sql);
        CHECK_THROWS_WITH(store::file_store(path)->reader()->facts(2), Catch::Contains(named));
    }
}

TEST_CASE("Repetitions and quiet runs are read back by game, by position and in order") {
    const TemporaryFile path("a.db");
    test::Random random(87);
    const auto writer = store::open_sqlite_writer(path);
    writer->choose_ply_rows(store::PlyRows::kNo);
    test::begin_source(*writer, "a.pgn");
    // Knights go out and home: positions that all games repeat, some more often than others.
    constexpr store::GameId kGames = 600;
    std::vector<store::Repetition> repetitions;
    std::vector<store::QuietRun> runs;
    GameBatch batch;
    store::PostingSorter sorter(std::size_t{1} << 20, 1,
                                std::filesystem::temp_directory_path().string());
    for (store::GameId id = 1; id <= kGames; ++id) {
        TestGame game;
        const std::size_t plies = random() % 20;
        const chess::Move moves[] = {chess::Move(6, 21), chess::Move(62, 45), chess::Move(21, 6),
                                     chess::Move(45, 62)};
        std::map<std::uint64_t, store::RepeatedPosition> seen;
        chess::Position position;
        for (std::uint32_t ply = 0;; ++ply) {
            store::RepeatedPosition& each = seen[position.key()];
            each.key = position.key();
            each.plies.push_back(ply);
            if (ply == plies) break;
            game.moves.push_back(moves[ply % 4]);
            position.play(game.moves.back());
        }
        batch.add(game);
        std::vector<codec::Posting> postings;
        test::add_game_postings(game, static_cast<std::uint32_t>(id), postings);
        for (const codec::Posting& posting : postings) sorter.feeder(0).add(posting);
        std::vector<store::RepeatedPosition> of_game;
        for (auto& [key, each] : seen) {
            if (each.plies.size() > 1) of_game.push_back(std::move(each));
        }
        std::sort(of_game.begin(), of_game.end(), [](const auto& a, const auto& b) {
            return static_cast<std::int64_t>(a.key) < static_cast<std::int64_t>(b.key);
        });
        batch.add_repetitions(of_game);
        for (const store::RepeatedPosition& each : of_game) repetitions.push_back({each, id});
        std::vector<store::QuietPlies> runs_of_game;
        for (std::uint32_t i = 0; i < random() % 3; ++i) {
            runs_of_game.push_back({100 + 300 * i, std::nullopt, 120});
            if (random() % 2 == 0) runs_of_game.back().ply75 = 150 + 300 * i;
        }
        batch.add_quiet_runs(runs_of_game);
        for (const store::QuietPlies& run : runs_of_game) runs.push_back({run, id});
    }
    writer->add(batch.games());
    test::index_games(*writer, sorter, 1, kGames, 1);
    writer->commit();
    writer->close();

    auto reader = store::file_store(path)->reader();
    std::vector<store::Repetition> found_repetitions;
    const auto collect = [&](const store::Repetition& each) {
        found_repetitions.push_back(each);
        return true;
    };
    for (const store::GameId first : {store::GameId{1}, store::GameId{77}, kGames + 1}) {
        for (const std::uint32_t count : {0U, 2U, 3U, 5U, 9U}) {
            found_repetitions.clear();
            reader->local()->for_each_repetition(first, count, collect);
            CHECK((found_repetitions == only(repetitions, [&](const auto& each) {
                       return each.game >= first && each.plies.size() >= count;
                   })));
        }
    }
    std::vector<std::uint64_t> keys{chess::Position().key(), 42};
    for (const store::Repetition& each : repetitions) keys.push_back(each.key);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    CHECK(keys.size() == 5);
    for (const std::uint64_t key : keys) {
        for (const std::uint32_t count : {0U, 2U, 3U, 5U}) {
            found_repetitions.clear();
            reader->local()->for_each_repetition_of(key, count, collect);
            CHECK((found_repetitions == only(repetitions, [&](const auto& each) {
                       return each.key == key && each.plies.size() >= count;
                   })));
        }
    }
    std::vector<store::QuietRun> found;
    reader->local()->for_each_quiet_run(50, [&](const store::QuietRun& each) {
        found.push_back(each);
        return each.game < 500;
    });
    std::vector<store::QuietRun> expected;
    for (const store::QuietRun& each : runs) {
        if (each.game >= 50 && (expected.empty() || expected.back().game < 500))
            expected.push_back(each);
    }
    CHECK((found == expected));
    for (store::GameId id = 1; id <= kGames + 1; id += 50) {
        const auto is_of_game = [&](const auto& each) { return each.game == id; };
        CHECK((reader->repetitions(id) == only(repetitions, is_of_game)));
        CHECK((reader->quiet_runs(id) == only(runs, is_of_game)));
    }
    reader.reset();
    store::Connection(path, store::Connection::Mode::kReadWrite)
        .run("UPDATE repetition SET plies = '[4,2]' WHERE count = 2");
    CHECK_THROWS_WITH(store::file_store(path)->reader()->local()->for_each_repetition(
                          1, 2, [](const store::Repetition&) { return true; }),
                      Catch::Contains("damaged: repetitions of game"));
}

TEST_CASE("A header has ratings as numbers and other values as text") {
    const TemporaryDirectory directory;
    TestGame game;
    game.tags = {{"White", "a"},       {"Black", "b"},         {"Event", "c"},
                 {"Site", "d"},        {"Date", "1998.??.??"}, {"Round", "3"},
                 {"WhiteElo", "2500"}, {"BlackElo", "2400?"},  {"ECO", "B90"}};
    TestGame web;
    web.tags = {{"Site", "https://lichess.org/x"}, {"Date", "2014.3.1"}, {"Round", "1.2"}};
    test::store_games(directory / "a.db", {game, web}, false);
    const auto reader = store::file_store(directory / "a.db")->reader();
    store::GameHeader header;
    REQUIRE(reader->header(1, header));
    CHECK(header.white == "a");
    CHECK(header.black == "b");
    CHECK(header.event == "c");
    CHECK(header.site == "d");
    CHECK(header.date == "1998.??.??");
    CHECK(header.round == "3");
    CHECK(header.white_elo == 2500);
    CHECK_FALSE(header.black_elo);
    CHECK(header.eco == "B90");
    REQUIRE(reader->header(2, header));
    CHECK(header.site == "https://lichess.org/x");
    CHECK(header.date == "2014.3.1");
    CHECK(header.round == "1.2");
    CHECK_FALSE(header.white_elo);
    CHECK_FALSE(reader->header(3, header));
    SECTION("the SQL view has the same values, and null for a rating that is not a number") {
        store::Connection connection(directory / "a.db", store::Connection::Mode::kReadOnly);
        CHECK(
            connection.text(
                "SELECT white || black || event || site || date || round || white_elo"
                " || ifnull(black_elo, '-') || eco || result || variant FROM games WHERE id = 1") ==
            "abcd1998.??.??32500-B90*standard");
        CHECK(connection.text("SELECT site || date || round FROM games WHERE id = 2") ==
              "https://lichess.org/x2014.3.11.2");
    }
}

TEST_CASE("A rollback undoes everything since the last commit") {
    const TemporaryDirectory directory;
    test::Random random(83);
    const auto writer = store::open_sqlite_writer(directory / "a.db");
    writer->choose_ply_rows(store::PlyRows::kNo);
    test::begin_source(*writer, "a.pgn");
    const auto add = [&](int count, const std::string& player) {
        GameBatch batch;
        for (int i = 0; i < count; ++i) {
            TestGame game = test::random_game_of(random, 5);
            game.tags = {{"White", player + std::to_string(i)}, {player, "x"}, {"Opening", player}};
            batch.add(game);
        }
        batch.games().errors.push_back({{1, 2, std::nullopt, "reason", "text", {}}, std::nullopt});
        batch.add_repetitions({{42, {1, 5, 9}}});
        writer->add(batch.games());
    };
    add(4094, "kept");
    writer->commit();
    const codec::GameFacts facts = writer->facts(4094);
    add(10, "lost");
    CHECK(writer->next_game() == 4105);
    writer->rollback();
    CHECK(writer->next_game() == 4095);
    CHECK(writer->facts(4094) == facts);
    test::begin_source(*writer, "b.pgn");
    add(3, "lost");
    add(3, "last");
    writer->commit();
    writer->close();

    const auto reader = store::file_store(directory / "a.db")->reader();
    const store::StoreInfo info = reader->info();
    CHECK(info.games == 4100);
    CHECK(info.errors == 3);
    CHECK(info.sources == 2);
    CHECK(info.unindexed_games == 4100);
    CHECK(reader->count_players() == 4100);
    CHECK(stored_tags(*reader, 4095) ==
          Tags{{"White", "lost0"}, {"lost", "x"}, {"Opening", "lost"}});
    CHECK(stored_tags(*reader, 4100) ==
          Tags{{"White", "last2"}, {"last", "x"}, {"Opening", "last"}});
    store::Connection connection(directory / "a.db", store::Connection::Mode::kReadOnly);
    CHECK(connection.text("SELECT group_concat(plies, '') FROM repetition") ==
          "[1,5,9][1,5,9][1,5,9]");
}

TEST_CASE("A reader sees what was committed when it began, until it is refreshed") {
    const TemporaryFile path("a.db");
    test::store_games(path, std::vector<TestGame>(2), false);
    const auto writer = store::open_sqlite_writer(path);
    const auto reader = store::file_store(path)->reader();
    test::begin_source(*writer, "b.pgn");
    GameBatch batch;
    batch.add({});
    writer->add(batch.games());
    reader->refresh();
    CHECK(reader->info().games == 2);
    writer->commit();
    CHECK(reader->info().games == 2);
    store::StoredGame game;
    CHECK_FALSE(reader->game(3, game));
    reader->refresh();
    CHECK(reader->info().games == 3);
    CHECK(reader->game(3, game));

    // A commit works after reads of all kinds and after visits that ended early.
    GameBatch fourth;
    fourth.add({});
    const auto stop = [](auto&&...) -> bool { throw std::runtime_error("stop"); };
    store::GameHeader header;
    std::uint32_t player = 0;
    CHECK(reader->header(3, header));
    reader->local()->column(store::GameColumn::kWhite, 3, {&player, 1});
    CHECK_THROWS(reader->for_each_moves(1, stop));
    CHECK_THROWS(reader->for_each_game(1, stop));
    writer->add(fourth.games());
    writer->commit();
    CHECK(reader->info().games == 3);
    reader->refresh();
    CHECK(reader->info().games == 4);
    CHECK(reader->game(4, game));
    writer->close();
    CHECK(reader->info().games == 4);
}

TEST_CASE("A damaged game is an error that names it") {
    const TemporaryFile path("a.db");
    test::Random random(84);
    TestGame game = test::random_game_of(random, 40);
    game.tags = {{"Opening", "x"}, {"Other", "yz"}};
    test::store_games(path, {game, game, game}, false);
    {
        store::Connection connection(path, store::Connection::Mode::kReadWrite);
        connection.run("UPDATE game SET tags = x'FF' WHERE id = 1");
        connection.run("UPDATE game SET moves = x'00' WHERE id = 2");
        connection.run("UPDATE game SET fen = 'nonsense' WHERE id = 3");
    }
    const auto reader = store::file_store(path)->reader();
    store::StoredGame stored;
    CHECK_THROWS_WITH(reader->game(1, stored), Catch::Contains("game 1"));
    store::StoredMoves moves;
    CHECK_THROWS_WITH(reader->moves(2, moves), Catch::Contains("game 2"));
    CHECK_THROWS_WITH(reader->moves(3, moves), Catch::Contains("game 3"));
    // Read without the checksum.
    REQUIRE(reader->moves(1, moves));
    moves.moves.assign(1, '\0');
    codec::GameWalk walk = replay::walk(2, moves);
    while (!walk.at_end()) walk.advance();
    CHECK_THROWS_WITH(replay::require_intact(2, walk), Catch::Contains("game 2"));
    moves.start = "nonsense";
    CHECK_THROWS_WITH(replay::walk(3, moves), Catch::Contains("game 3"));
}

TEST_CASE("A search through games that are in no segment fails at a damaged one") {
    const TemporaryFile path("a.db");
    test::Random random(85);
    test::store_games(path, {test::random_game_of(random, 40), test::random_game_of(random, 40)},
                      false);
    store::Connection(path, store::Connection::Mode::kReadWrite)
        .run("UPDATE game SET moves = x'00' WHERE id = 2");
    const auto reader = store::file_store(path)->reader();
    for (int again = 0; again < 3; ++again) {
        CHECK_THROWS_WITH(reader->local()->candidates(chess::Position().key()),
                          Catch::Contains("game 2"));
    }
}
