// The position index of a database: for every position the candidates are the postings that were
// put in, over segments, big positions, and games that no segment holds yet.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <tuple>

#include "codec/game_walk.hpp"
#include "replay/stored_walk.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/store_fixtures.hpp"
#include "support/first_wrong.hpp"
#include "support/sanitizers.hpp"

namespace {

using namespace fendex;
using codec::Posting;
using store::Candidate;
using store::GameId;
using test::GameBatch;
using test::TemporaryDirectory;
using test::TemporaryFile;
using test::TestGame;

/// Game and ply of every time a position was reached.
using Places = std::vector<std::pair<GameId, std::uint32_t>>;
using PlacesOf = std::map<std::uint64_t, Places>;

void note_places(const TestGame& game, GameId id, PlacesOf& out) {
    chess::Position position = game.start;
    for (std::uint32_t ply = 0; ply <= game.moves.size(); ++ply) {
        out[position.key()].emplace_back(id, ply);
        if (ply < game.moves.size()) position.play(game.moves[ply]);
    }
}

std::vector<Candidate> candidates_of(store::StoreReader& reader, std::uint64_t key) {
    std::vector<Candidate> out;
    const auto cursor = reader.local()->candidates(key);
    Candidate candidate;
    while (cursor->next(candidate)) out.push_back(candidate);
    return out;
}

/// Returns the candidates of all groups, in any order.
std::vector<Candidate> grouped_candidates_of(store::StoreReader& reader, std::uint64_t key) {
    std::vector<Candidate> out;
    reader.local()->for_each_candidate_group(key, [&](std::span<const Candidate> group) {
        out.insert(out.end(), group.begin(), group.end());
    });
    return out;
}

bool same_candidates(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
    const auto sorted = [](const std::vector<Candidate>& candidates) {
        std::vector<std::tuple<GameId, std::optional<std::uint32_t>, std::uint16_t>> out;
        for (const Candidate& each : candidates)
            out.emplace_back(each.game, each.ply, each.next.bits());
        std::sort(out.begin(), out.end());
        return out;
    };
    return sorted(a) == sorted(b);
}

/// Finds the plies of candidates by replaying, like a search.
Places verified(store::StoreReader& reader, const std::vector<Candidate>& candidates,
                const std::vector<TestGame>& games, std::uint64_t key) {
    Places places;
    test::FirstWrong wrong;
    for (const Candidate& candidate : candidates) {
        if (candidate.ply) {
            const auto& moves = games[candidate.game - 1].moves;
            const bool ends = *candidate.ply == moves.size();
            wrong.check(candidate.next == (ends ? codec::kGameEndsHere : moves[*candidate.ply]),
                        [&] {
                            return "next move of game " + std::to_string(candidate.game) +
                                   ", ply " + std::to_string(*candidate.ply);
                        });
            places.emplace_back(candidate.game, *candidate.ply);
            continue;
        }
        store::StoredMoves stored;
        REQUIRE(reader.moves(candidate.game, stored));
        for (codec::GameWalk walk = replay::walk(candidate.game, stored);; walk.advance()) {
            if (walk.position().key() == key) places.emplace_back(candidate.game, walk.ply());
            if (walk.at_end()) break;
        }
    }
    CHECK(wrong.text() == "");
    return places;
}

void check_positions(store::StoreReader& reader, const std::vector<TestGame>& games) {
    PlacesOf expected;
    for (std::size_t i = 0; i < games.size(); ++i) note_places(games[i], i + 1, expected);
    const bool one_segment = reader.info().index_pieces == 1 && reader.info().unindexed_games == 0;
    test::FirstWrong wrong;
    std::size_t round = 0;
    for (const auto& [key, places] : expected) {
        if (test::left_out(round++, 16)) continue;
        const auto check = [&, key = key](bool right, const char* what) {
            wrong.check(right,
                        [&] { return what + std::string(" of key ") + std::to_string(key); });
        };
        const std::vector<Candidate> candidates = candidates_of(reader, key);
        check(std::is_sorted(candidates.begin(), candidates.end(),
                             [](const Candidate& a, const Candidate& b) {
                                 return std::pair(a.game, a.ply.value_or(0)) <
                                        std::pair(b.game, b.ply.value_or(0));
                             }),
              "the order");
        check(verified(reader, candidates, games, key) == places, "the places");
        if (one_segment && places.size() > codec::kMostSingletons) {
            // No singletons match by chance.
            check(candidates.size() == places.size(), "the number of candidates");
        }
        check(same_candidates(grouped_candidates_of(reader, key), candidates), "the groups");
        const store::PositionOverview overview = reader.local()->overview(key);
        std::uint64_t occurrences = overview.candidates.size();
        for (const auto& sums : overview.sums) occurrences += sums.total.occurrences;
        check(occurrences >= places.size(), "the overview");
    }
    CHECK(wrong.text() == "");
    test::Random random(90);
    for (int i = 0; i < test::fewer(2000); ++i) {
        const std::uint64_t key = random();
        for (const Candidate& candidate : candidates_of(reader, key)) {
            // The leading bits of the key agree by chance; only a replay can tell.
            CHECK_FALSE(candidate.ply);
        }
    }
}

std::vector<TestGame> some_games(test::Random& random, std::size_t count, unsigned variety) {
    std::vector<TestGame> games;
    while (games.size() < count) games.push_back(test::random_game_of(random, 30, variety));
    return games;
}

/// Computes the sums of a position from the games.
codec::Tally tally_of(const std::vector<TestGame>& games, const Places& places) {
    codec::Tally tally;
    std::set<GameId> distinct;
    for (const auto& [game, ply] : places) {
        ++tally.occurrences;
        if (distinct.insert(game).second) tally.add_game(games[game - 1].facts);
    }
    return tally;
}

void write_segment(const std::string& path, const std::vector<Posting>& postings, std::size_t games,
                   unsigned threads) {
    const auto writer = store::open_sqlite_writer(path);
    if (!writer->ply_rows()) writer->choose_ply_rows(store::PlyRows::kNo);
    test::begin_source(*writer, "a.pgn");
    const GameId first = writer->next_game();
    GameBatch batch;
    for (std::size_t i = 0; i < games; ++i) batch.add({});
    writer->add(batch.games());
    store::PostingSorter sorter(1 << 20, 1, std::filesystem::temp_directory_path().string());
    for (const Posting& p : postings) {
        const std::uint32_t game = Posting::game_number(first + p.game());
        sorter.feeder(0).add({p.key, p.next(), game, p.ply()});
    }
    test::index_games(*writer, sorter, first, first + games - 1, threads);
    writer->commit();
    writer->close();
}

}  // namespace

TEST_CASE("Every position of every game is found again") {
    const TemporaryDirectory directory;
    test::Random random(91);
    for (const unsigned variety : {5U, 100'000U}) {
        const std::string path = directory / std::to_string(variety);
        const std::vector<TestGame> games = some_games(random, 700, variety);
        test::store_games(path, games, true);
        const auto reader = store::file_store(path)->reader();
        CHECK(reader->info().index_pieces == 1);
        CHECK(reader->info().unindexed_games == 0);
        check_positions(*reader, games);
    }
}

TEST_CASE("A search covers segments and games that are in no segment") {
    const TemporaryFile path("a.db");
    test::Random random(92);
    std::vector<TestGame> games;
    const auto append = [&](std::size_t count, unsigned variety, bool indexed) {
        const std::vector<TestGame> part = some_games(random, count, variety);
        test::store_games(path, part, indexed);
        games.insert(games.end(), part.begin(), part.end());
    };
    append(400, 3, true);
    append(1, 100'000, true);
    append(300, 100'000, true);
    append(350, 3, true);
    append(40, 3, false);
    const auto reader = store::file_store(path)->reader();
    CHECK(reader->info().index_pieces == 4);
    CHECK(reader->info().unindexed_games == 40);
    check_positions(*reader, games);
}

TEST_CASE("The same games are found with any memory and number of threads") {
    const TemporaryDirectory directory;
    test::Random random(93);
    const std::vector<TestGame> games = some_games(random, 600, 50);
    std::vector<std::string> blocks;
    for (const std::size_t memory : {std::size_t{0}, std::size_t{1} << 24}) {
        for (const unsigned threads : {1U, 2U, 8U}) {
            const std::string path = directory / std::to_string(blocks.size());
            test::store_games(path, games, true, memory, threads);
            store::Connection connection(path, store::Connection::Mode::kReadOnly);
            blocks.push_back(connection
                                 .text("SELECT group_concat(first_key || ' ' || part || ' ' ||"
                                       " hex(data), ';') FROM (SELECT * FROM block ORDER BY id)")
                                 .value());
            CHECK((blocks.back() == blocks.front()));
        }
    }
}

TEST_CASE("A position of many games has correct sums") {
    const TemporaryFile path("a.db");
    test::Random random(94);
    const std::vector<TestGame> games = some_games(random, 900, 3);
    test::store_games(path, games, true);
    const auto reader = store::file_store(path)->reader();
    PlacesOf expected;
    for (std::size_t i = 0; i < games.size(); ++i) note_places(games[i], i + 1, expected);
    unsigned big = 0;
    for (const auto& [key, places] : expected) {
        if (places.size() < codec::kBigPosition) continue;
        ++big;
        const store::PositionOverview overview = reader->local()->overview(key);
        REQUIRE(overview.sums.size() == 1);
        CHECK(overview.sums[0].games.first == 1);
        CHECK(overview.sums[0].games.last == games.size());
        CHECK(overview.candidates.empty());
        const store::PositionSums& summary = overview.sums[0];
        CHECK(summary.total == tally_of(games, places));
        std::map<unsigned, Places> groups;
        for (const auto& [game, ply] : places) {
            const auto& moves = games[game - 1].moves;
            const bool ends = ply == moves.size();
            groups[(ends ? codec::kGameEndsHere : moves[ply]).bits()].emplace_back(game, ply);
        }
        REQUIRE(summary.moves.size() == groups.size());
        for (const store::MoveSums& group : summary.moves) {
            const Places& of_group = groups[group.next.bits()];
            CHECK(group.tally == tally_of(games, of_group));
            // The best rated and the latest of the group, each once.
            const auto rank = [&](GameId id) {
                const codec::GameFacts& facts = games[id - 1].facts;
                return std::uint32_t{facts.white_elo} + facts.black_elo;
            };
            REQUIRE(group.top_games.size() ==
                    std::min<std::size_t>(codec::kNamedGames, group.tally.games));
            std::uint32_t best = 0;
            for (const auto& [game, ply] : of_group) {
                best = std::max(best, rank(game));
            }
            CHECK(rank(group.top_games.front()) == best);
            CHECK(std::is_sorted(group.top_games.begin(), group.top_games.end(),
                                 [&](GameId a, GameId b) { return rank(a) > rank(b); }));
            CHECK(std::is_sorted(group.recent_games.begin(), group.recent_games.end(),
                                 [&](GameId a, GameId b) {
                                     return games[a - 1].facts.date > games[b - 1].facts.date;
                                 }));
            CHECK(std::set(group.top_games.begin(), group.top_games.end()).size() ==
                  group.top_games.size());
        }
    }
    CHECK(big > 20);
}

TEST_CASE("Keys at the ends, and big positions among small ones, are found") {
    const TemporaryDirectory directory;
    constexpr std::uint32_t kGames = 400;
    test::Random random(95);
    // Big positions: the least and the greatest key, one with low bits of zero that comes first,
    // neighbours of each other, and one that shares its leading bits with small ones.
    for (const std::vector<std::uint64_t>& big : std::vector<std::vector<std::uint64_t>>{
             {},
             {0},
             {~std::uint64_t{0}},
             {0x0100000000000000ULL},
             {0x8000000000000000ULL},
             {0, 1, 2, 3},
             {0x5500000000000000ULL, 0x5500000000000001ULL, 0x55000000FFFFFFFFULL},
             {0x7FFFFFFFFFFFFFFFULL, 0x8000000000000000ULL}}) {
        for (const bool others : {false, true}) {
            std::map<std::uint64_t, std::vector<std::uint32_t>> games_of;
            for (const std::uint64_t key : big) {
                for (std::uint32_t game = 0; game < 300; ++game) games_of[key].push_back(game);
            }
            for (int i = 0; others && i < test::fewer(3000, 4); ++i) {
                std::uint64_t key = random();
                if (i % 3 == 0 && !big.empty()) key = big[random() % big.size()] + 1 + random() % 5;
                if (i < 3) key = i == 0 ? 0 : i == 1 ? ~std::uint64_t{0} : 1;
                games_of[key].push_back(static_cast<std::uint32_t>(random() % kGames));
            }
            std::vector<Posting> postings;
            for (auto& [key, games] : games_of) {
                std::sort(games.begin(), games.end());
                games.erase(std::unique(games.begin(), games.end()), games.end());
                for (const std::uint32_t game : games) {
                    postings.emplace_back(key, chess::Move(12, 28), game, 3U);
                }
            }
            if (postings.empty()) continue;
            const std::string path = directory / "a.db";
            write_segment(path, postings, kGames, 2);
            const auto reader = store::file_store(path)->reader();
            for (const auto& [key, games] : games_of) {
                CAPTURE(key, games.size(), big, others);
                std::set<GameId> found;
                for (const Candidate& candidate : candidates_of(*reader, key))
                    found.insert(candidate.game);
                test::FirstWrong wrong;
                for (const std::uint32_t game : games) {
                    wrong.check(found.contains(game + 1),
                                [&] { return "no game " + std::to_string(game + 1); });
                }
                REQUIRE(wrong.text() == "");
                REQUIRE(reader->local()->overview(key).sums.size() ==
                        (games.size() >= 256 ? 1 : 0));
            }
            std::filesystem::remove(path);
        }
    }
}

TEST_CASE("Blocks and rows of big positions fill their pages") {
    const TemporaryDirectory directory;
    constexpr std::uint32_t kGames = 400;
    test::Random random(94);
    std::vector<Posting> postings;
    for (int i = 0; i < 100'000; ++i) {
        postings.emplace_back(random(), chess::Move(12, 28),
                              static_cast<std::uint32_t>(random() % kGames), 3U);
    }
    for (int i = 0; i < 600; ++i) {
        const std::uint64_t key = random();
        for (std::uint32_t game = 0; game < 300; ++game) {
            postings.emplace_back(
                key, chess::Move(static_cast<chess::Square>(12 + random() % 3), 28), game, 3U);
        }
    }
    const auto integer = [&](const std::string& path, const char* sql) {
        store::Connection connection(path, store::Connection::Mode::kReadOnly);
        return static_cast<double>(connection.integer(sql).value_or(0));
    };
    const std::string with = directory / "with.db";
    const std::string without = directory / "without.db";
    write_segment(with, postings, kGames, 2);
    write_segment(without, {}, kGames, 2);
    // Besides its blob a row takes some 31 bytes, and 20 in the index.
    const double bytes = integer(with, "SELECT sum(length(data) + 51) FROM block");
    const double pages = integer(with, "PRAGMA page_count") - integer(without, "PRAGMA page_count");
    CAPTURE(bytes, pages);
    CHECK(integer(with, "SELECT count(*) FROM block WHERE part > 0") > 1200);
    CHECK(bytes > 0.96 * 16'384 * pages);
}

TEST_CASE("Remains of an unfinished segment are removed") {
    const TemporaryFile path("a.db");
    test::Random random(96);
    const std::vector<TestGame> games = some_games(random, 50, 1000);
    test::store_games(path, games, true);
    test::store_games(path, games, false);
    {
        // An import that is killed after the first commit of its blocks.
        const auto writer = store::open_sqlite_writer(path);
        CHECK(writer->unindexed().first == 51);
        CHECK(writer->unindexed().games == 50);
        writer->begin_segment();
        writer->add_block(0, 0, "garbage");
        writer->add_block(std::uint64_t{1} << 63, 1, "garbage");
        writer->commit();
    }
    std::vector<TestGame> all = games;
    all.insert(all.end(), games.begin(), games.end());
    check_positions(*store::file_store(path)->reader(), all);
    store::open_sqlite_writer(path)->close();
    store::Connection connection(path, store::Connection::Mode::kReadOnly);
    CHECK(connection.integer("SELECT count(*) FROM block WHERE segment > 1") == 0);
    check_positions(*store::file_store(path)->reader(), all);
}

TEST_CASE("A segment that is being written is not removed as remains when another is replaced") {
    const TemporaryFile path("a.db");
    test::Random random(99);
    test::store_games(path, some_games(random, 20, 1000), true);
    const auto blocks_of = [&](std::int64_t id) {
        store::Connection connection(path, store::Connection::Mode::kReadOnly);
        return connection.integer("SELECT count(*) FROM block WHERE segment = " +
                                  std::to_string(id));
    };
    const auto writer = store::open_sqlite_writer(path);
    store::SegmentRecord before = writer->segments(store::SegmentKind::kMainLine).at(0);
    store::SegmentRecord replacing = before;
    replacing.id = writer->begin_segment();
    writer->add_block(0, 0, "main line");
    writer->put_segments({&replacing, 1});
    const std::int64_t variations = writer->begin_segment();
    writer->add_block(0, 0, "variations");
    writer->commit();
    CHECK(blocks_of(before.id) == 0);
    CHECK(blocks_of(replacing.id) == 1);
    CHECK(blocks_of(variations) == 1);
    // Blocks of an abandoned segment are remains.
    writer->rollback();
    before.id = writer->begin_segment();
    writer->put_segments({&before, 1});
    writer->commit();
    CHECK(blocks_of(variations) == 0);
    writer->close();
}

TEST_CASE("A damaged block is an error and never makes a reader give a wrong answer") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    test::Random random(97);
    const std::vector<TestGame> games = some_games(random, 400, 4);
    test::store_games(path, games, true);
    const std::uint64_t start = chess::Position().key();
    const auto candidates_after = [&](const std::string& sql, std::uint64_t key) {
        const std::string copy = directory / "b.db";
        std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
        store::Connection(copy, store::Connection::Mode::kReadWrite).run(sql);
        return candidates_of(*store::file_store(copy)->reader(), key);
    };
    const auto broken_by = [&](const std::string& sql, std::uint64_t key) {
        try {
            candidates_after(sql, key);
            return false;
        } catch (const store::StoreError&) {
            return true;
        }
    };
    const auto whole = candidates_after("SELECT 1", start);
    REQUIRE(whole.size() == 400);
    // The block of a position of many games says only that it has rows of its own.
    const std::string no_blocks = "UPDATE block SET data = x'' WHERE part = 0";
    CHECK(same_candidates(candidates_after(no_blocks, start), whole));
    chess::Position rare;
    for (const chess::Move move : games.front().moves) rare.play(move);
    CHECK(broken_by(no_blocks, rare.key()));
    CHECK(broken_by(no_blocks, ~start));
    CHECK(broken_by("UPDATE block SET data = x'00' WHERE part = 1", start));
    CHECK(broken_by("UPDATE block SET data = x'0000' WHERE part = 2", start));
    CHECK(broken_by("DELETE FROM block WHERE part = 1", start));
    CHECK(broken_by("DELETE FROM block WHERE part = 2", start));
    CHECK(broken_by("UPDATE segment SET key_bits = 64", start));
    CHECK(broken_by("UPDATE segment SET last_game = 0", start));
    CHECK_FALSE(broken_by("SELECT 1", start));
}

TEST_CASE("Candidates come in the chunks of a big position, up to a damaged chunk") {
    const TemporaryFile path("a.db");
    test::Random random(98);
    test::store_games(path, some_games(random, 400, 4), true);
    const std::uint64_t start = chess::Position().key();
    const auto postings_of = [&](const std::string& sql) {
        store::Connection(path, store::Connection::Mode::kReadWrite).run(sql);
        std::size_t postings = 0;
        store::file_store(path)->reader()->local()->for_each_candidate_group(
            start, [&](std::span<const Candidate> group) { postings += group.size(); });
        return postings;
    };
    CHECK(postings_of("SELECT 1") == 400);
    CHECK_THROWS_AS(postings_of("UPDATE block SET data = x'0000' WHERE part = 3"),
                    store::StoreError);
    CHECK_THROWS_AS(postings_of("DELETE FROM block WHERE part = 3"), store::StoreError);
}

TEST_CASE("Candidates of a segment are read after those of the segments before it") {
    const TemporaryFile path("a.db");
    test::Random random(99);
    for (int segment = 0; segment < 2; ++segment) {
        test::store_games(path, some_games(random, 400, 4), true);
    }
    const std::uint64_t start = chess::Position().key();
    {
        const auto reader = store::file_store(path)->reader();
        REQUIRE(reader->info().index_pieces == 2);
        REQUIRE(candidates_of(*reader, start).size() == 800);
    }
    store::Connection(path, store::Connection::Mode::kReadWrite)
        .run(
            "UPDATE block SET data = x'0000' WHERE part = 2"
            " AND segment = (SELECT id FROM segment ORDER BY first_game DESC LIMIT 1)");
    const auto reader = store::file_store(path)->reader();
    const auto cursor = reader->local()->candidates(start);
    Candidate candidate;
    for (GameId game = 1; game <= 400; ++game) {
        REQUIRE(cursor->next(candidate));
        REQUIRE(candidate.game == game);
    }
    CHECK_THROWS_AS(cursor->next(candidate), store::StoreError);
}
