// Databases of format 4 can be read, and are written only after an upgrade.
#include <catch2/catch.hpp>

#include "emit/pgn_game.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "support/data_file.hpp"
#include "support/engine_comparison.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using Catch::Contains;

std::string exported(store::StoreReader& reader) {
    std::string out;
    std::string annotation;
    reader.for_each_game(1, [&](store::GameId id, const store::StoredGame& game) {
        annotation.clear();
        reader.annotation(id, annotation);
        emit::append_pgn(id, game, annotation, out);
        return true;
    });
    return out;
}

}  // namespace

TEST_CASE("A database of format 4 is still read") {
    const test::TemporaryDirectory directory;
    const auto reader =
        store::file_store(directory.write("old.db", test::format4_database()))->reader();
    const store::StoreInfo info = reader->info();
    CHECK(info.id.empty());
    CHECK(info.games == 381);
    CHECK(info.plies == 1095);
    CHECK(info.positions == 1475);
    CHECK(info.errors == 6);
    CHECK(exported(*reader) == test::unpacked_data("format4.pgn"));
    unsigned errors = 0;
    reader->for_each_error([&](const store::StoredError& each) {
        CHECK_FALSE(each.error.warning);
        ++errors;
        return true;
    });
    CHECK(errors == 6);
    REQUIRE(reader->sources().size() == 2);
    CHECK(reader->sources()[1].progress.prefixes.empty());
    CHECK(reader->sources()[1].options == "--annotations --variations");
}

TEST_CASE("Trees of a database of format 4 or 5 know the modes of its games") {
    const test::TemporaryDirectory directory;
    const std::string path = directory.write("old.db", test::older_database(GENERATE(4, 5)));
    store::Connection(path, store::Connection::Mode::kReadWrite)
        .run("UPDATE event SET name = 'Rated Blitz game' WHERE id = 2");
    const auto reader = store::file_store(path)->reader();
    const auto targets = test::targets_of(chess::AnyPosition(), query::Match::kExact);
    store::GameFilter filter;
    filter.mode = codec::Mode::kRated;
    REQUIRE(reader->engine().count_games(filter, {}) == 24);
    CHECK(reader->engine().tree(targets, filter, {}, {}).total.games == 24);
    const std::vector<std::vector<store::Engine::Target>> questions{targets};
    CHECK(reader->engine().counts(questions, filter, {}).front().games == 24);
}

TEST_CASE("A database of format 4 is refused for writing, with advice") {
    const test::TemporaryDirectory directory;
    const std::string path = directory.write("old.db", test::format4_database());
    CHECK_THROWS_WITH(store::open_sqlite_writer(path),
                      Contains(path) && Contains("format 4") &&
                          Contains("run `fendex upgrade " + path + "` first"));
    CHECK((test::read_file(path) == test::format4_database()));
}

TEST_CASE("The severity of errors and the digests of sources are stored") {
    const test::TemporaryFile path("new.db");
    const auto writer = store::open_sqlite_writer(path);
    writer->begin_source({"a.pgn", {}, {}}, "");
    store::NewGames batch;
    batch.errors.resize(2);
    batch.errors[1].error.warning = true;
    writer->add(batch);
    store::SourceProgress progress;
    progress.prefixes = std::string("\0\1\2", 3);
    writer->update_source(progress);
    writer->commit();
    writer->close();

    const auto reader = store::file_store(path)->reader();
    std::vector<bool> warnings;
    reader->for_each_error([&](const store::StoredError& each) {
        warnings.push_back(each.error.warning);
        return true;
    });
    CHECK(warnings == std::vector<bool>{false, true});
    CHECK(reader->sources().at(0).progress.prefixes == progress.prefixes);
}

TEST_CASE("Each database has an id of its own") {
    const test::TemporaryDirectory directory;
    std::vector<std::string> ids;
    for (const std::string name : {"a.db", "b.db"}) {
        store::open_sqlite_writer(directory / name)->close();
        ids.push_back(store::file_store(directory / name)->reader()->info().id);
        CHECK(ids.back().size() == 32);
        CHECK(ids.back().find_first_not_of("0123456789abcdef") == std::string::npos);
    }
    CHECK(ids[0] != ids[1]);
}
