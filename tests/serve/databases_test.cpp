// Databases that change while they are served: by another store of this process or by other
// processes.
#include "serve/databases.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "ingest/importer.hpp"
#include "serve/explorer/explorer.hpp"
#include "store/sqlite/reader/idle_snapshots.hpp"
#include "store/store_error.hpp"
#include "support/damage_file.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::serve;

/// The texts of two calls have nothing in common, so that none is taken for more of another.
std::string games(unsigned count, unsigned call) {
    std::string text;
    for (unsigned i = 0; i < count; ++i) {
        text += "[Event \"" + std::to_string(call) + "\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n";
    }
    return text;
}

class Served {
  public:
    Served() { import(path_, 3); }

    void import(const std::string& path, unsigned count) const {
        static unsigned calls = 0;
        const std::string file = std::to_string(++calls) + ".pgn";
        ingest::import_files(path, {directory_.write(file, games(count, calls))}, {});
    }
    Databases databases() const { return Databases({path_}); }
    const std::string& path() const { return path_; }
    std::string other(const std::string& name) const { return directory_ / name; }

  private:
    test::TemporaryDirectory directory_;
    std::string path_ = directory_ / "served.db";
};

store::GameId last_game(const Databases& databases) {
    return databases.open().front().reader->last_game();
}

store::StoreError::Kind error_of(const Databases& databases) {
    try {
        static_cast<void>(databases.open());
        return store::StoreError::kOther;
    } catch (const store::StoreError& error) {
        return error.kind();
    }
}

/// Asks so often that idle readers keep their snapshots.
void ask_often(const Databases& databases) {
    databases.look_after();
    for (std::uint64_t i = 0; i < store::IdleSnapshots::kOften; ++i)
        static_cast<void>(databases.open());
    databases.look_after();
    static_cast<void>(databases.open());
}

}  // namespace

TEST_CASE("a commit is seen by the next request and changes the version") {
    const Served served;
    const Databases databases = served.databases();
    static_cast<void>(databases.version());
    const std::string before = databases.version();
    CHECK(databases.version() == before);
    CHECK(last_game(databases) == 3);
    served.import(served.path(), 5);
    CHECK(last_game(databases) == 8);
    const std::string after = databases.version();
    CHECK(after != before);
    CHECK(databases.version() == after);
    CHECK(served.databases().version() != after);
}

TEST_CASE("all readers of the same content have the same version") {
    const Served served;
    const Databases databases = served.databases();
    const auto versions = [&] {
        const auto one = databases.open();
        const auto two = databases.open();
        CHECK(databases.version_of(one) == databases.version_of(two));
        return databases.version_of(one);
    };
    static_cast<void>(databases.open());
    { const auto two = std::pair(databases.open(), databases.open()); }
    const std::string before = versions();
    CHECK(versions() == before);
    served.import(served.path(), 1);
    const std::string after = versions();
    CHECK(after != before);
    CHECK(versions() == after);
}

TEST_CASE("some of the databases share their readers with the others") {
    const Served served;
    const std::string second = served.other("second.db");
    served.import(second, 7);
    const Databases all({served.path(), second});
    const Databases some = all.some({second, served.path()});
    REQUIRE(some.size() == 2);
    CHECK(some.name(0) == second);
    const auto open = some.open();
    CHECK(open[0].reader->last_game() == 7);
    CHECK(open[0].index == 0);
    CHECK(open[1].index == 1);
    CHECK(open[0].store == all.open()[1].store);
    CHECK_THROWS_AS(all.some({"another.db"}), std::invalid_argument);
}

TEST_CASE("the results of a request are kept for the requests after it") {
    const Served served;
    const Databases databases = served.databases();
    // Makes two readers, which share their results.
    { const auto both = std::pair(databases.open(), databases.open()); }
    databases.open().front().reader->snapshot_cache().put("x", std::make_shared<int>(7), 1 << 20);
    const auto one = databases.open();
    const auto two = databases.open();
    for (const auto* const open : {&one, &two}) {
        const auto kept = open->front().reader->snapshot_cache().get<int>("x");
        REQUIRE(kept != nullptr);
        CHECK(*kept == 7);
    }
}

TEST_CASE("a file that was replaced is opened again") {
    const Served served;
    const Databases databases = served.databases();
    const auto old = databases.open();
    const std::string before = databases.version();
    const std::string other = served.other("other.db");
    served.import(other, 6);
    std::filesystem::rename(other, served.path());
    databases.look_after();
    CHECK(last_game(databases) == 6);
    CHECK(databases.version() != before);
    CHECK(old.front().reader->last_game() == 3);
}

TEST_CASE("a missing database is an error only while it is missing") {
    const Served served;
    const Databases databases = served.databases();
    const std::string away = served.other("away.db");
    std::filesystem::rename(served.path(), away);
    databases.look_after();
    CHECK(error_of(databases) == store::StoreError::kAbsent);
    CHECK(error_of(databases) == store::StoreError::kAbsent);
    CHECK_FALSE(std::filesystem::exists(served.path()));
    std::filesystem::rename(away, served.path());
    CHECK(last_game(databases) == 3);
}

TEST_CASE("a damaged database is an error until it is repaired") {
    const Served served;
    const Databases databases = served.databases();
    CHECK(last_game(databases) == 3);
    const std::string good = test::read_file(served.path());
    Router router(explorer_routes({databases, databases, databases}));
    const auto ask = [&] {
        databases.look_after();
        auto request = std::make_shared<Request>();
        request->path = {"lichess"};
        try {
            return router.plan(request).run({});
        } catch (...) {
            return router.failed("/lichess", std::current_exception());
        }
    };
    CHECK(ask().status == 200);
    const auto write = [&](const std::string& bytes) {
        const std::string temporary = served.other("temporary.db");
        std::FILE* const file = std::fopen(temporary.c_str(), "wb");
        REQUIRE(file != nullptr);
        REQUIRE(std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size());
        REQUIRE(std::fclose(file) == 0);
        std::filesystem::rename(temporary, served.path());
    };
    std::string damaged = good;
    for (std::size_t at = 4096; at < damaged.size(); ++at) damaged[at] = 'x';
    write(damaged);
    const Answer refused = ask();
    CHECK(refused.status == 500);
    CHECK(refused.body.find("served.db") != std::string::npos);
    write(good);
    CHECK(ask().status == 200);
    std::filesystem::remove(served.path());
    CHECK(ask().status == 503);
    write(good);
    CHECK(ask().status == 200);
}

TEST_CASE("between requests nothing keeps the log from shrinking") {
    const Served served;
    const Databases databases = served.databases();
    for (int i = 0; i < 3; ++i) {
        const auto one = databases.open();
        const auto two = databases.open();
        CHECK(one.front().reader->last_game() == two.front().reader->last_game());
    }
    // The last connection of a writer that closes cannot remove the log beside open readers, but it
    // can write it back to the database and empty it.
    const std::string log = served.path() + "-wal";
    served.import(served.path(), 200);
    CHECK(last_game(databases) == 203);
    served.import(served.path(), 200);
    CHECK(std::filesystem::file_size(log) == 0);
    CHECK(last_game(databases) == 403);
}

TEST_CASE("a log that could not shrink during a request is emptied after it") {
    const Served served;
    const Databases databases = served.databases();
    const std::string log = served.path() + "-wal";
    {
        const auto reading = databases.open();
        served.import(served.path(), 200);
        databases.look_after();
        CHECK(std::filesystem::file_size(log) != 0);
        CHECK(reading.front().reader->last_game() == 3);
    }
    CHECK(std::filesystem::file_size(log) != 0);
    databases.look_after();
    CHECK(std::filesystem::file_size(log) == 0);
    CHECK(last_game(databases) == 203);
}

TEST_CASE("a new reader never shares results with those of a file that was replaced") {
    const Served served;
    const Databases databases = served.databases();
    const auto old = databases.open();
    const std::string other = served.other("other.db");
    served.import(other, 6);
    std::filesystem::rename(other, served.path());
    // No reader is idle, so one is opened, before look_after() has noticed the new file.
    const auto now = databases.open();
    CHECK(now.front().reader->last_game() == 6);
    CHECK(now.front().store != old.front().store);
    CHECK(old.front().reader->last_game() == 3);
}

TEST_CASE("under load, commits of other processes are seen by the next request") {
    const Served served;
    const Databases databases = served.databases();
    ask_often(databases);
    const std::string log = served.path() + "-wal";
    for (unsigned i = 1; i <= 3; ++i) {
        CHECK(last_game(databases) == 3 + 2 * (i - 1));
        const std::string file = served.other(std::to_string(i) + ".pgn");
        std::ofstream(file) << games(2, 1000 + i);
        REQUIRE(test::run_process({FENDEX_BINARY, "import", served.path(), file}).status == 0);
        // The idle reader had a snapshot, which is what makes this test one.
        CHECK(std::filesystem::file_size(log) != 0);
        CHECK(last_game(databases) == 3 + 2 * i);
    }
    databases.look_after();
    CHECK(std::filesystem::file_size(log) == 0);
    CHECK(last_game(databases) == 9);
    // Few have asked since the look before, so that no snapshot is kept any more.
    databases.look_after();
    CHECK(last_game(databases) == 9);
    served.import(served.path(), 1);
    CHECK(std::filesystem::file_size(log) == 0);
}

TEST_CASE("a file that was replaced is closed, even without requests") {
    const Served served;
    const Databases databases = served.databases();
    served.import(served.path(), 200);  // beside the open readers, so a log stays
    const std::string other = served.other("other.db");
    served.import(other, 6);
    std::filesystem::rename(other, served.path());
    databases.look_after();
    for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code error;
        const std::string open = std::filesystem::read_symlink(each, error).string();
        CHECK(open.find("served.db (deleted)") == std::string::npos);
    }
    served.import(served.path(), 1);
    CHECK(last_game(databases) == 7);
}

TEST_CASE("a new file does not get the log of the replaced file that a request still reads") {
    const Served served;
    const Databases databases = served.databases();
    const std::string other = served.other("other.db");
    served.import(other, 6);
    {
        const auto reading = databases.open();
        served.import(served.path(), 200);
        CHECK(std::filesystem::file_size(served.path() + "-wal") != 0);
        std::filesystem::rename(other, served.path());
        databases.look_after();
        CHECK(last_game(databases) == 6);
        databases.look_after();
        CHECK(last_game(databases) == 6);
        CHECK(reading.front().reader->last_game() == 3);
    }
    served.import(served.path(), 1);
    CHECK(last_game(databases) == 7);
    served.import(served.path(), 1);
    CHECK(last_game(databases) == 8);
}

TEST_CASE("requests are answered while an import waits to convert an old database") {
    const Served served;
    REQUIRE(test::run_sql(served.path(), "PRAGMA journal_mode = DELETE"));
    const Databases databases = served.databases();
    std::exception_ptr failure;
    {
        auto reading = databases.open();
        std::jthread import([&] {
            try {
                served.import(served.path(), 5);
            } catch (...) {
                failure = std::current_exception();
            }
        });
        // Each would wait as long as the import does, if that kept others from reading.
        for (int i = 0; i < 100; ++i) {
            CHECK(last_game(databases) == 3);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        CHECK(reading.front().reader->last_game() == 3);
        reading.clear();
    }
    CHECK_FALSE(failure);
    CHECK(last_game(databases) == 8);
}

TEST_CASE("requests of several threads see whole commits") {
    const Served served;
    const Databases databases = served.databases();
    if (GENERATE(false, true)) ask_often(databases);
    std::atomic<bool> done = false;
    std::atomic<unsigned> wrong = 0;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            store::GameId before = 0;
            while (!done) {
                const auto open = databases.open();
                const store::GameId games = open.front().reader->last_game();
                if (games < before || games % 3 != 0) ++wrong;
                before = games;
            }
        });
    }
    for (int i = 0; i < 5; ++i) served.import(served.path(), 3);
    done = true;
    threads.clear();
    CHECK(wrong == 0);
    CHECK(last_game(databases) == 18);
}
