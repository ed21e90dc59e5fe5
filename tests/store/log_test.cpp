// Readers beside a writer: neither waits for the other, a reader keeps its snapshot, and the log
// goes with the last that needs it. Where no log can be shared, the file alone is read.
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <utility>

#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/sqlite/writer/writer_connection.hpp"
#include "store/sqlite/writer/writer_lock.hpp"
#include "store/store_fixtures.hpp"
#include "support/failing_vfs.hpp"

namespace {

using namespace fendex;
using Catch::Contains;
using store::Connection;
using test::TemporaryDirectory;
using test::TemporaryFile;
using Mode = Connection::Mode;

/// As a process does that begins, writes and ends.
void import(const std::string& path, const std::string& white) {
    test::TestGame game;
    game.tags = {{"White", white}};
    test::store_games(path, {game}, false);
}

std::string white_of(store::StoreReader& reader, store::GameId game) {
    store::GameHeader header;
    return reader.header(game, header) ? std::string(header.white.value_or("?")) : "";
}

std::ptrdiff_t count_files(const TemporaryDirectory& directory) {
    const auto entries = std::filesystem::directory_iterator(directory.path());
    return std::distance(begin(entries), end(entries));
}

std::uintmax_t log_size(const std::string& path) {
    const std::string log = path + "-wal";
    return std::filesystem::exists(log) ? std::filesystem::file_size(log) : 0;
}

/// Puts the database into the mode in which an earlier fendex left it.
void make_old(const std::string& path) {
    Connection connection(path, Mode::kReadWrite);
    REQUIRE(connection.text("PRAGMA journal_mode = DELETE") == "delete");
}

std::string mode_of(const std::string& path) {
    return Connection(path, Mode::kReadOnly).text("PRAGMA journal_mode").value();
}

/// The message of the StoreError that work() throws.
std::string error_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const store::StoreError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("An import can begin and end while a reader keeps its snapshot") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    import(path, "Ann");
    CHECK(count_files(directory) == 1);
    {
        const store::Reader reader = store::file_store(path)->reader();
        import(path, "Bob");
        CHECK(reader->last_game() == 1);
        CHECK(white_of(*reader, 1) == "Ann");
        CHECK(white_of(*reader, 2).empty());
        CHECK(white_of(*store::file_store(path)->reader(), 2) == "Bob");
        CHECK(log_size(path) != 0);
    }
    CHECK(count_files(directory) == 1);
    CHECK(white_of(*store::file_store(path)->reader(), 2) == "Bob");
    CHECK(count_files(directory) == 1);
}

TEST_CASE("The last reader that needs the log empties it, even if others stay") {
    const TemporaryFile path("a.db");
    import(path, "Ann");
    const auto server = store::file_store(path);
    const auto next_reader = [&] {
        const store::Reader reader = server->reader();
        return std::hash<const store::StoreReader*>()(reader.get());
    };
    const std::size_t idle = next_reader();  // the server keeps it open
    SECTION("by closing") {
        store::Reader reader = store::file_store(path)->reader();
        import(path, "Bob");
        CHECK(log_size(path) != 0);
        reader.reset();
        CHECK(log_size(path) == 0);
    }
    SECTION("by returning to its store, before the log is settled") {
        store::Reader reader = server->reader();
        import(path, "Bob");
        store::settle_log(path);
        CHECK(log_size(path) != 0);
        CHECK(white_of(*reader, 2).empty());
        reader.reset();
        store::settle_log(path);
        CHECK(log_size(path) == 0);
    }
    SECTION("a writer that is open keeps the log") {
        const auto writer = store::open_sqlite_writer(path);
        test::begin_source(*writer, "b.pgn");
        writer->commit();
        const std::uintmax_t size = log_size(path);
        CHECK(size != 0);
        store::file_store(path)->require_readable();
        store::settle_log(path);
        CHECK(log_size(path) == size);
        writer->close();
        CHECK(log_size(path) == 0);
    }
    CHECK(next_reader() == idle);
}

TEST_CASE("A log that grew during a long read shrinks with the commits after the reader") {
    const TemporaryFile path("a.db");
    const store::WriterLock lock(path, "write");  // so that readers leave the log alone
    Connection connection = store::open_for_writing(path);
    CHECK(connection.integer("PRAGMA journal_size_limit") == 64 << 20);
    connection.integer("PRAGMA journal_size_limit = 100000");
    const auto write = [&](int rows) {
        for (int i = 0; i < rows; ++i) {
            connection.run("INSERT INTO dictionary(data) VALUES (zeroblob(60000))");
        }
    };
    {
        const store::Reader reader = store::file_store(path)->reader();
        connection.run("PRAGMA wal_autocheckpoint = 10");
        write(20);
        CHECK(log_size(path) > 1'000'000);
    }
    write(2);
    CHECK(log_size(path) < 300'000);
}

TEST_CASE("The first writer converts a database of an earlier fendex if nobody reads it") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    import(path, "Ann");
    make_old(path);
    CHECK(white_of(*store::file_store(path)->reader(), 1) == "Ann");
    CHECK(mode_of(path) == "delete");
    {
        const store::Reader reader = store::file_store(path)->reader();
        Connection connection = store::open_database(path, Mode::kReadWrite);
        CHECK_THAT(error_of([&] { store::use_log(connection, std::chrono::milliseconds(0)); }),
                   Contains(path) && Contains("another program is reading it") &&
                       Contains("needs the database alone for a moment") && Contains("try again"));
        CHECK(white_of(*reader, 1) == "Ann");
    }
    import(path, "Bob");
    CHECK(mode_of(path) == "wal");
    CHECK(white_of(*store::file_store(path)->reader(), 2) == "Bob");
    CHECK(count_files(directory) == 1);
}

TEST_CASE("Without shared memory the file alone is read") {
    test::FailingVfs vfs;
    const TemporaryDirectory directory;
    const std::string path = directory / "a?b#c%20d.db";
    import(path, "Ann");
    vfs.fail({test::VfsCall::kShmMap, test::kAnyFile, 1, test::VfsFault::kForEver,
              SQLITE_IOERR_SHMSIZE});
    Connection alone(path, Mode::kReadOnly);
    CHECK(alone.integer("SELECT count(*) FROM game") == 1);
    CHECK_FALSE(alone.is_outdated());
    vfs.heal();
    SECTION("after it is written, every read is an error") {
        import(path, "Bob");
        CHECK(alone.is_outdated());
        CHECK_THAT(error_of([&] { alone.integer("SELECT count(*) FROM source"); }),
                   Contains(path) && Contains("another program has written it"));
        CHECK_THAT(error_of([&] { alone.fail("cannot do this"); }),
                   Contains("another program has written it"));
    }
    SECTION("commits of others to a log are not seen") {
        const auto writer = store::open_sqlite_writer(path);
        test::begin_source(*writer, "b.pgn");
        writer->commit();
        CHECK(alone.is_outdated());
        CHECK(alone.integer("SELECT count(*) FROM source") == 1);
        // Not by another one either: a database in use is opened as usual.
        CHECK(Connection(path, Mode::kReadOnly).integer("SELECT count(*) FROM source") == 2);
    }
    SECTION("a file that replaces it is not read") {
        import(directory / "b.db", "Bob");
        std::filesystem::rename(directory / "b.db", path);
        CHECK_FALSE(alone.is_outdated());
        CHECK(alone.integer("SELECT count(*) FROM game") == 1);
    }
    SECTION("it cannot be written") {
        CHECK_THAT(error_of([&] { alone.run("DELETE FROM game"); }), Contains("readonly"));
    }
}

TEST_CASE("A reader cannot write, even if its file is opened for writing") {
    const TemporaryFile path("a.db");
    import(path, "Ann");
    Connection connection(path, Mode::kReadOnly);
    CHECK_THAT(error_of([&] { connection.run("DELETE FROM game"); }), Contains("readonly"));
}

TEST_CASE("Readers without shared memory see what is committed") {
    test::FailingVfs vfs;
    const TemporaryFile path("a.db");
    import(path, "Ann");
    vfs.fail({test::VfsCall::kShmMap, test::kAnyFile, 1, test::VfsFault::kForEver,
              SQLITE_IOERR_SHMSIZE});
    const auto store = store::file_store(path);
    {
        { const auto both = std::pair(store->reader(), store->reader()); }
        const store::Reader one = store->reader();
        const store::Reader two = store->reader();
        CHECK(white_of(*two, 1) == "Ann");
        CHECK(&one->snapshot_cache() == &two->snapshot_cache());
        vfs.heal();
        const std::uint64_t cache = two->snapshot_cache().number();
        import(path, "Bob");
        const store::Reader three = store->reader();
        CHECK(white_of(*three, 2) == "Bob");
        CHECK(three->snapshot_cache().number() != cache);
        CHECK(one->last_game() == 1);
    }
    import(path, "Cid");
    const store::Reader one = store->reader();
    const store::Reader two = store->reader();
    CHECK(white_of(*one, 3) == "Cid");
    CHECK(white_of(*two, 3) == "Cid");
    CHECK(&one->snapshot_cache() == &two->snapshot_cache());
}
