// Which files belong to a database, by whatever name they are called.
#include "store/sqlite/file/database_files.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>

#include "store/sqlite/file/connection.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using Catch::Contains;
namespace fs = std::filesystem;

void make_socket(const std::string& path) {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof address.sun_path);
    std::memcpy(address.sun_path, path.c_str(), path.size());
    // NOLINTNEXTLINE: the interface of sockets
    REQUIRE(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    ::close(socket);
}

void check_refused(const std::string& path, const std::string& why) {
    CAPTURE(path);
    for (const auto mode : {store::Connection::Mode::kReadOnly, store::Connection::Mode::kReadWrite,
                            store::Connection::Mode::kCreate}) {
        try {
            const store::Connection connection(path, mode);
            FAIL_CHECK("it was opened");
        } catch (const store::StoreError& error) {
            CHECK(error.kind() == store::StoreError::kNotADatabase);
            CHECK_THAT(error.what(), Contains(path) && Contains(why));
        }
    }
}

}  // namespace

TEST_CASE("What is not a regular file is refused at once, before it is opened") {
    const test::TemporaryDirectory directory;
    const std::string pipe = directory / "pipe.db";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    check_refused(pipe, "is a pipe, not a database");
    fs::create_symlink("pipe.db", directory / "link.db");
    check_refused(directory / "link.db", "is a pipe");
    make_socket(directory / "socket.db");
    check_refused(directory / "socket.db", "is a socket");
    check_refused("/dev/null", "is a device");
    check_refused(directory.path(), "is a directory");
    // SQLite opens these, too.
    const std::string database = directory.write("my.db", "");
    fs::create_symlink("my.db", directory / "other.db");
    REQUIRE(::mkfifo((database + "-journal").c_str(), 0600) == 0);
    check_refused(database, "my.db-journal: is a pipe");
    CHECK_THROWS_WITH(store::Connection(directory / "other.db", store::Connection::Mode::kReadOnly),
                      Contains("my.db-journal: is a pipe"));
}

TEST_CASE("Files of a database are recognised by any path, also before they exist") {
    const test::TemporaryDirectory directory;
    const std::string database = directory.write("my.db", "");
    fs::create_symlink("my.db", directory / "link.db");
    fs::create_hard_link(database, directory / "hard.pgn");
    fs::create_directory(directory / "folder");
    fs::create_symlink("../my.db-wal", directory / "folder/dangling.pgn");
    fs::create_directory_symlink(".", directory / "here");
    const auto belongs = [&](const std::string& path) {
        return store::belongs_to_database(database, path) &&
               store::belongs_to_database(directory / "link.db", path);
    };
    for (const char* const name :
         {"my.db", "my.db-wal", "my.db-shm", "my.db-journal", "my.db-writer", "link.db", "hard.pgn",
          "folder/../my.db-wal", "here/my.db-journal", "folder/dangling.pgn"}) {
        CAPTURE(name);
        CHECK(belongs(directory / name));
    }
    for (const char* const name : {"my.db.pgn", "my.pgn", "folder/my.db-wal", "my.db-walk",
                                   "nowhere/my.db-wal", "other.db-wal", "folder"}) {
        CAPTURE(name);
        CHECK_FALSE(store::belongs_to_database(database, directory / name));
    }
    CHECK_FALSE(store::belongs_to_database(database, "/dev/null"));
    CHECK_FALSE(store::belongs_to_database(directory / "none.db", database));
    // Its own log exists.
    fs::create_hard_link(directory.write("my.db-wal", "x"), directory / "log.pgn");
    CHECK(belongs(directory / "log.pgn"));
}
