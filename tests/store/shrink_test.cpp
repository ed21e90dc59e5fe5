// Shrinking a database: all rows stay, the free pages go; stopped at any moment, or disturbed by
// another program, it changes nothing and leaves no file behind.
#include "store/sqlite/writer/shrink.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <thread>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using store::Connection;
using test::TemporaryDirectory;
using test::TemporaryFile;

constexpr std::int64_t kRowsLeft = 50;
constexpr std::int64_t kRowBytes = 200'000;

/// A database with about 10 MB of rows and 14 MB of free pages.
void make_database(const std::string& path) {
    store::open_sqlite_writer(path)->close();
    Connection connection(path, Connection::Mode::kReadWrite);
    connection.run(
        "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 120)"
        " INSERT INTO dictionary SELECT i, zeroblob(" +
        std::to_string(kRowBytes) + ") FROM n; DELETE FROM dictionary WHERE id > " +
        std::to_string(kRowsLeft));
}

std::int64_t free_pages(const std::string& path) {
    Connection connection(path, Connection::Mode::kReadOnly);
    return connection.integer("PRAGMA freelist_count").value();
}

void check_rows(const std::string& path, std::int64_t rows) {
    Connection connection(path, Connection::Mode::kReadOnly);
    CHECK(connection.text("PRAGMA integrity_check") == "ok");
    CHECK(connection.integer("SELECT count(*) FROM dictionary") == rows);
    CHECK(connection.integer("SELECT sum(length(data)) FROM dictionary WHERE id <= 50") ==
          kRowsLeft * kRowBytes);
}

bool has_remains(const TemporaryDirectory& directory) {
    for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
        if (entry.path().filename().string().find("fendex-part") != std::string::npos) return true;
    }
    return false;
}

Connection opened(const std::string& path) {
    Connection connection = Connection(path, Connection::Mode::kReadWrite);
    connection.text("PRAGMA journal_mode = WAL");
    return connection;
}

TEST_CASE("Shrinking removes the free pages and keeps the rows") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    make_database(path);
    REQUIRE(free_pages(path) > 700);
    {
        Connection connection = opened(path);
        REQUIRE(store::shrink(connection, [] { return false; }));
    }
    CHECK(free_pages(path) == 0);
    CHECK(std::filesystem::file_size(path) < 11'000'000);
    check_rows(path, kRowsLeft);
    CHECK_FALSE(has_remains(directory));
}

TEST_CASE("Shrinking that is stopped, at any moment, changes nothing") {
    const TemporaryDirectory directory;
    const std::string path = directory / "a.db";
    make_database(path);
    const std::int64_t before = free_pages(path);
    const std::thread::id here = std::this_thread::get_id();  // others look while the copy is made
    bool done = false;
    int stopped = 0;
    for (int looks = 0; !done; ++looks) {
        int left = looks;
        {
            Connection connection = opened(path);
            done = store::shrink(connection,
                                 [&] { return std::this_thread::get_id() == here && left-- == 0; });
        }
        if (done) break;
        ++stopped;
        CHECK(free_pages(path) == before);
        check_rows(path, kRowsLeft);
    }
    CHECK(stopped > 3);
    CHECK_FALSE(has_remains(directory));
}

TEST_CASE("Shrinking does not discard what another program writes meanwhile") {
    const TemporaryFile path("a.db");
    make_database(path);
    {
        Connection connection = opened(path);
        bool written = false;
        // This thread is asked first when the copy is complete.
        const auto write_once = [&, here = std::this_thread::get_id()] {
            if (std::this_thread::get_id() != here) return false;
            if (!written) {
                Connection(path, Connection::Mode::kReadWrite)
                    .run("INSERT INTO dictionary VALUES (1000, 'x')");
            }
            written = true;
            return false;
        };
        CHECK_THROWS_AS(store::shrink(connection, write_once), store::StoreError);
        REQUIRE(written);
    }
    check_rows(path, kRowsLeft + 1);
}

}  // namespace
