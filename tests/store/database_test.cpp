// Recognising fendex databases; other files are refused with a message that names their kind.
#include "store/sqlite/file/database.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <optional>

#include "replay/stored_walk.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/store_fixtures.hpp"

namespace {

using namespace fendex;
using Catch::Contains;
using store::Connection;
using test::TemporaryDirectory;

/// Makes a small database.
std::string make_database(const TemporaryDirectory& directory) {
    test::Random random(71);
    const std::string path = directory / "games.db";
    std::vector<test::TestGame> games;
    for (int i = 0; i < 30; ++i) games.push_back(test::random_game_of(random, 30));
    test::store_games(path, games, true);
    return path;
}

std::optional<store::StoreError::Kind> kind_of_failure(const std::function<void()>& work) {
    try {
        work();
    } catch (const store::StoreError& error) {
        return error.kind();
    }
    return std::nullopt;
}

/// Checks that reader and writer refuse the file for this reason and do not change it.
template <typename Matcher>
void check_refused(const std::string& path, store::StoreError::Kind kind, const Matcher& reason) {
    const bool file = std::filesystem::is_regular_file(path);
    const std::string before = file ? test::read_file(path) : "";
    CHECK_THROWS_WITH(store::file_store(path)->reader(), Contains(path) && reason);
    CHECK_THROWS_WITH(store::open_sqlite_writer(path), Contains(path) && reason);
    CHECK(kind_of_failure([&] { store::file_store(path)->require_readable(); }) == kind);
    CHECK(kind_of_failure([&] { static_cast<void>(store::open_sqlite_writer(path)); }) == kind);
    if (file) CHECK((test::read_file(path) == before));
}

/// Returns the results of some reads: the whole database, each game, the start position. Throws
/// what they throw.
std::vector<std::string> answers_of(const std::string& path) {
    const auto reader = store::file_store(path)->reader();
    const store::StoreInfo info = reader->info();
    std::vector<std::string> answers{std::to_string(info.games) + " games, " +
                                     std::to_string(info.fingerprint)};
    for (store::GameId id = 1; id <= 31; ++id) {
        store::StoredGame game;
        std::string& answer = answers.emplace_back();
        if (!reader->game(id, game)) continue;
        answer = std::to_string(id) + ":";
        for (const auto& [name, value] : game.tags) answer += " [" + name + " " + value + "]";
        codec::GameWalk walk = replay::walk(id, game.moves);
        for (; !walk.at_end(); walk.advance()) {
            answer += " " + std::to_string(walk.next_move().bits());
        }
        replay::require_intact(id, walk);
    }
    const auto cursor = reader->local()->candidates(chess::Position().key());
    std::string& places = answers.emplace_back("start:");
    for (store::Candidate candidate; cursor->next(candidate);) {
        places += " " + std::to_string(candidate.game) + "/" +
                  (candidate.ply ? std::to_string(*candidate.ply) : "-");
    }
    return answers;
}

void make_sqlite(const std::string& path, const std::string& sql) {
    Connection connection(path, Connection::Mode::kCreate);
    connection.run(sql);
}

}  // namespace

TEST_CASE("A new database is marked as ours, and is one file after the end") {
    const TemporaryDirectory directory;
    const std::string path = make_database(directory);
    {
        Connection connection(path, Connection::Mode::kReadOnly);
        CHECK(connection.integer("PRAGMA application_id") == 0x464E4458);
        CHECK(connection.integer("PRAGMA user_version") == store::kFormatVersion);
        CHECK(connection.integer("PRAGMA page_size") == store::kPageSize);
        CHECK(connection.text("PRAGMA journal_mode") == "wal");
        CHECK(connection.text("PRAGMA integrity_check") == "ok");
    }
    const auto entries = std::filesystem::directory_iterator(directory.path());
    CHECK(std::distance(begin(entries), end(entries)) == 1);
}

TEST_CASE("An empty file becomes a database") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("empty.db", "");
    CHECK_THROWS_WITH(store::file_store(path)->reader(),
                      Contains(path + ": is empty: an import was interrupted"));
    store::open_sqlite_writer(path)->close();
    CHECK(store::file_store(path)->reader()->info().games == 0);
}

TEST_CASE("A file that is not a fendex database is refused") {
    const TemporaryDirectory directory;
    SECTION("a text") {
        check_refused(directory.write("a.pgn", "[Event \"a\"]\n\n1. e4 e5 1-0\n"),
                      store::StoreError::kNotADatabase, Contains("is not a database"));
    }
    SECTION("a long text") {
        check_refused(directory.write("a.pgn", std::string(100'000, 'x')),
                      store::StoreError::kNotADatabase, Contains("is not a database"));
    }
    SECTION("a directory") {
        check_refused(directory.path(), store::StoreError::kNotADatabase,
                      Contains("is a directory"));
    }
    SECTION("another program's database") {
        make_sqlite(directory / "other.db", "CREATE TABLE t(a); INSERT INTO t VALUES (1);");
        check_refused(directory / "other.db", store::StoreError::kNotADatabase,
                      Contains("not one of fendex"));
    }
    SECTION("another program's database that says so") {
        make_sqlite(directory / "other.db",
                    "PRAGMA application_id = 252006673; CREATE TABLE t(a);");
        check_refused(directory / "other.db", store::StoreError::kNotADatabase,
                      Contains("another program") && Contains("252006673"));
    }
    SECTION("a newer format") {
        const std::string path = make_database(directory);
        make_sqlite(path, "PRAGMA user_version = " + std::to_string(store::kFormatVersion + 1));
        check_refused(path, store::StoreError::kNewerFormat,
                      Contains("format " + std::to_string(store::kFormatVersion)) &&
                          Contains("newer fendex"));
    }
    SECTION("an older format") {
        const std::string path = make_database(directory);
        make_sqlite(path, "PRAGMA user_version = 1");
        check_refused(path, store::StoreError::kOlderFormat,
                      Contains("format 1") && Contains("earlier fendex") &&
                          Contains("import the games again"));
    }
    SECTION("no format at all") {
        const std::string path = make_database(directory);
        make_sqlite(path, "PRAGMA user_version = 0");
        check_refused(path, store::StoreError::kDamaged, Contains("no format version"));
    }
    SECTION("a file that does not exist") {
        CHECK_THROWS_WITH(store::file_store(directory / "no.db")->reader(),
                          Contains("no such database"));
        CHECK(kind_of_failure([&] {
                  store::file_store(directory / "no.db")->require_readable();
              }) == store::StoreError::kAbsent);
        CHECK_FALSE(std::filesystem::exists(directory / "no.db"));
        CHECK_THROWS_AS(store::open_sqlite_writer(directory / "no/such/directory/a.db"),
                        store::StoreError);
    }
}

TEST_CASE("A database cut off or overwritten is an error, wherever the damage is") {
    const TemporaryDirectory directory;
    const std::string whole_path = make_database(directory);
    const std::string whole = test::read_file(whole_path);
    const std::vector<std::string> expected = answers_of(whole_path);
    test::Random random(72);
    unsigned cut_errors = 0;
    unsigned overwritten_errors = 0;
    for (int round = 0; round < 60; ++round) {
        std::string bytes = whole;
        const bool cut = round % 3 == 0;
        if (cut) {
            bytes.resize(random() % bytes.size());
        } else {
            std::size_t at = 0;
            do {
                at = 100 + random() % (bytes.size() - 200);
            } while (bytes[at] == 0);  // a byte that is not 0
            for (std::size_t i = 0; i < 100; ++i) bytes[at + i] = static_cast<char>(random());
        }
        const std::string path = directory.write("damaged.db", bytes);
        CAPTURE(round, bytes.size());
        try {
            const std::vector<std::string> answers = answers_of(path);
            REQUIRE(answers.size() == expected.size());
            for (std::size_t i = 0; i < answers.size(); ++i) {
                // If a game's id is overwritten, the game is not found.
                if (!answers[i].empty()) CHECK(answers[i] == expected[i]);
            }
        } catch (const store::StoreError& error) {
            ++(cut ? cut_errors : overwritten_errors);
            CHECK_THAT(error.what(), Contains(path));
            CHECK((error.kind() == store::StoreError::kDamaged ||
                   error.kind() == store::StoreError::kNotADatabase));
        }
        try {
            store::open_sqlite_writer(path)->close();
        } catch (const store::StoreError& error) {
            CHECK_THAT(error.what(), Contains(path));
        }
        for (const char* rest : {"", "-wal", "-shm", "-journal"}) {
            std::filesystem::remove(path + rest);
        }
    }
    CHECK(cut_errors == 20);
    CHECK(overwritten_errors > 20);  // of 40: the others are in bytes that are not read
}

TEST_CASE("A database that is being written is busy for another writer") {
    const TemporaryDirectory directory;
    const auto writer = store::open_sqlite_writer(directory / "a.db");
    CHECK(kind_of_failure([&] {
              static_cast<void>(store::open_sqlite_writer(directory / "a.db"));
          }) == store::StoreError::kBusy);
}

TEST_CASE("Keys keep their order in SQLite") {
    const std::uint64_t keys[] = {0, 1, 0x7FFFFFFFFFFFFFFFULL, 0x8000000000000000ULL,
                                  ~std::uint64_t{0}};
    for (const std::uint64_t key : keys)
        CHECK(store::key_of_sql_order(store::sql_order(key)) == key);
    for (std::size_t i = 0; i + 1 < std::size(keys); ++i) {
        CHECK(store::sql_order(keys[i]) < store::sql_order(keys[i + 1]));
    }
}
