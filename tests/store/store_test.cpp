// A store with a long life: readers are lent and returned, see what others commit, share caches,
// and block nobody while idle.
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/store_fixtures.hpp"

namespace {

using namespace fendex;
using test::TemporaryDirectory;
using test::TemporaryFile;
using test::TestGame;

TestGame game_of(const std::string& white) {
    TestGame game;
    game.tags = {{"White", white}};
    game.facts.white_elo = static_cast<std::uint16_t>(2000 + white.size());
    return game;
}

/// Creates a database, or adds games to one that nobody has open.
void add_games(const std::string& path, const std::vector<TestGame>& games) {
    test::store_games(path, games, false);
}

/// A writer in another process.
class OtherProcess {
  public:
    explicit OtherProcess(const std::string& path) : writer_(store::open_sqlite_writer(path)) {}

    void add(const TestGame& game) {
        test::begin_source(*writer_, "other.pgn");
        test::GameBatch batch;
        batch.add(game);
        writer_->add(batch.games());
        writer_->commit();
    }
    void remove(store::GameId game) {
        static_cast<void>(writer_->remove_games({&game, 1}));
        writer_->commit();
    }

  private:
    std::unique_ptr<store::SegmentedWriter> writer_;
};

std::string white_of(store::StoreReader& reader, store::GameId game) {
    store::GameHeader header;
    return reader.header(game, header) ? std::string(header.white.value_or("?")) : "";
}

/// Returns whether the whole log can be copied into the database now, because no snapshot needs old
/// pages.
bool log_can_shrink(const std::string& path) {
    const store::Connection connection(path, store::Connection::Mode::kReadWrite);
    store::Statement checkpoint(connection, "PRAGMA wal_checkpoint(PASSIVE)");
    REQUIRE(checkpoint.step());
    const std::int64_t pages = checkpoint.integer(1);
    return pages > 0 && checkpoint.integer(2) == pages;
}

}  // namespace

TEST_CASE("An idle reader holds no snapshot, so the log can shrink") {
    const TemporaryFile path("a.db");
    add_games(path, {game_of("Ann")});
    OtherProcess other(path);
    const auto store = store::file_store(path);
    store::Reader reader = store->reader();
    other.add(game_of("Bob"));
    CHECK_FALSE(log_can_shrink(path));
    const store::StoreReader* const first = reader.get();
    reader.reset();
    CHECK(log_can_shrink(path));
    reader = store->reader();
    CHECK(reader.get() == first);
    CHECK(white_of(*reader, 2) == "Bob");
    reader->release();
    CHECK(log_can_shrink(path));
    reader->refresh();
    CHECK(white_of(*reader, 2) == "Bob");
}

TEST_CASE("Few of many readers that were used at once stay open") {
    const TemporaryFile path("a.db");
    add_games(path, {game_of("Ann")});
    // Those of the log: SQLite keeps those of the file for the next connections, as long as one
    // connection has a lock.
    const auto descriptors = [&] {
        std::size_t count = 0;
        std::error_code gone;
        for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
            count += std::filesystem::read_symlink(each, gone).string() == path + "-wal" ? 1U : 0U;
        }
        return count;
    };
    store::CacheSizes caches;
    caches.idle_readers = 3;
    const auto store = store::file_store(path, caches);
    {
        std::vector<store::Reader> readers;
        for (int i = 0; i < 20; ++i) readers.push_back(store->reader());
        CHECK(descriptors() >= 20);
    }
    // One more finds out whether readers see the same snapshot.
    CHECK(descriptors() <= 4);
    CHECK(white_of(*store->reader(), 1) == "Ann");
}

TEST_CASE("A refreshed reader loads nothing if nothing was committed") {
    const TemporaryFile path("a.db");
    add_games(path, {game_of("Ann")});
    const auto store = store::file_store(path);
    store::Reader reader = store->reader();
    const std::uint64_t snapshot = reader->snapshot();
    reader->refresh();
    CHECK(reader->snapshot() == snapshot);
    reader.reset();
    reader = store->reader();
    CHECK(reader->snapshot() == snapshot);
    reader.reset();
    add_games(path, {game_of("Bob")});
    reader = store->reader();
    CHECK(reader->snapshot() != snapshot);
    CHECK(reader->last_game() == 2);
}

TEST_CASE("A store's writer leaves one file, even if readers of the store came and went") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    add_games(path, {game_of("Ann")});
    const auto store = store::file_store(path);
    {
        const store::Reader one = store->reader();
        const store::Reader two = store->reader();
    }
    auto writer = store->writer();
    {
        const store::Reader one = store->reader();
        const store::Reader two = store->reader();
        CHECK(white_of(*two, 1) == "Ann");
    }
    writer->close();
    writer.reset();
    const auto entries = std::filesystem::directory_iterator(directory.path());
    CHECK(std::distance(begin(entries), end(entries)) == 1);
}

TEST_CASE("Readers of one snapshot share names and facts, those of another have their own") {
    const TemporaryFile path("a.db");
    add_games(path, {game_of("Ann"), game_of("Zoe")});
    OtherProcess other(path);
    const auto store = store::file_store(path);
    const store::Reader older = store->reader();
    const store::Reader second = store->reader();
    CHECK(white_of(*older, 2) == "Zoe");
    CHECK(white_of(*second, 2) == "Zoe");
    other.remove(2);
    other.add(game_of("Yannick"));  // gets the id that Zoe's name had
    const store::Reader newer = store->reader();
    CHECK(white_of(*newer, 3) == "Yannick");
    CHECK(newer->facts(3).white_elo == 2007);
    CHECK(white_of(*older, 2) == "Zoe");
    CHECK(older->facts(2).white_elo == 2003);
    CHECK(white_of(*second, 2) == "Zoe");

    // The same functions as readers call.
    store::SharedCaches shared(path, store::SnapshotCache::kCapacity);
    const auto caches = [&] { return shared.of_snapshot([] {}); };
    CHECK(caches().facts != caches().facts);
    shared.begin_sharing();
    const store::SnapshotCaches before = caches();
    CHECK(caches().facts == before.facts);
    CHECK(caches().players == before.players);
    other.add(game_of("Bob"));
    CHECK(caches().facts != before.facts);
    CHECK(caches().players == caches().players);
    unsigned begun = 0;
    const store::SnapshotCaches after = shared.of_snapshot([&] {
        if (begun++ == 0) other.add(game_of("Cid"));
    });
    CHECK(begun == 2);
    CHECK(caches().facts == after.facts);
}

TEST_CASE("Readers of a store work in several threads while games are added and deleted") {
    const TemporaryFile path("a.db");
    std::vector<TestGame> games;
    for (const char* const name : {"Ann", "Bob", "Cid", "Dee"}) games.push_back(game_of(name));
    add_games(path, games);
    OtherProcess other(path);
    const auto store = store::file_store(path);
    std::atomic<unsigned> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            for (unsigned round = 0; round < 60; ++round) {
                const store::Reader reader = store->reader();
                for (store::GameId game = 1; game <= reader->last_game(); ++game) {
                    if (!reader->has_game(game)) continue;
                    const std::string white = white_of(*reader, game);
                    const std::string expected =
                        game <= 4 ? games[game - 1].tags[0].second : "new" + std::to_string(game);
                    if (white != expected ||
                        reader->facts(game).white_elo != 2000 + expected.size()) {
                        ++wrong;
                    }
                }
            }
        });
    }
    for (store::GameId game = 5; game < 20; ++game) {
        other.add(game_of("new" + std::to_string(game)));
        if (game % 2 != 0) other.remove(game);
    }
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
}
