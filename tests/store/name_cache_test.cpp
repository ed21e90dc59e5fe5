#include "store/sqlite/caches/name_cache.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "store/store_error.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;

std::string name_of(std::int64_t id) {
    return id % 50 == 0 ? "" : "Player " + std::to_string(id * 7919 % 1'000'003);
}

class Players {
  public:
    Players() { connection_.run("CREATE TABLE player(id INTEGER PRIMARY KEY, name)"); }

    void add(std::int64_t id) {
        store::Statement(connection_, "INSERT INTO player VALUES (?1, ?2)").run(id, name_of(id));
    }
    store::Connection& connection() { return connection_; }

  private:
    store::Connection connection_{":memory:", store::Connection::Mode::kCreate};
};

}  // namespace

TEST_CASE("A name cache finds the names that are there, whatever their neighbours") {
    Players players;
    std::mt19937 random(1);
    std::vector<std::int64_t> there;
    std::vector<std::int64_t> missing;
    for (std::int64_t id = 1; id <= 5000; ++id) {
        const bool is_in_gap = id / 300 % 3 == 1;
        (is_in_gap || random() % 3 == 0 ? missing : there).push_back(id);
    }
    for (const std::int64_t id : there) players.add(id);
    const auto shared = std::make_shared<store::SharedNames>();
    store::NameCache first(players.connection(), "player");
    store::NameCache second(players.connection(), "player");
    first.use(shared);
    second.use(shared);
    for (unsigned i = 0; i < 20'000; ++i) {
        const std::int64_t id = there[random() % there.size()];
        if ((random() % 2 == 0 ? first : second).name(id) != name_of(id)) FAIL(id);
    }
    for (const std::int64_t id : std::vector<std::int64_t>{missing[0], missing.back(), 0, -1, -64,
                                                           5001, INT64_MAX, INT64_MIN}) {
        CAPTURE(id);
        CHECK_THROWS_AS(first.name(id), store::DamageError);
    }
}

TEST_CASE("A name cache finds a name that was added beside known ones, and keeps these") {
    Players players;
    players.add(70);
    players.add(72);
    store::NameCache names(players.connection(), "player");
    const std::string_view known = names.name(70);
    CHECK(known == name_of(70));
    CHECK_THROWS_AS(names.name(71), store::DamageError);
    players.add(71);
    CHECK(names.name(71) == name_of(71));
    CHECK(names.name(72) == name_of(72));
    CHECK(known == name_of(70));
}

TEST_CASE("A name cache reads names whose neighbours are damaged") {
    const test::TemporaryDirectory folder;
    const std::string file = folder / "names.db";
    constexpr std::int64_t kNames = 60;  // in one chunk, on many pages
    constexpr std::size_t kPageBytes = 512;
    {
        store::Connection connection(file, store::Connection::Mode::kCreate);
        connection.run("PRAGMA page_size = 512");
        connection.run("CREATE TABLE player(id INTEGER PRIMARY KEY, name)");
        for (std::int64_t id = 1; id <= kNames; ++id) {
            store::Statement(connection, "INSERT INTO player VALUES (?1, ?2)")
                .run(id, std::string(90, 'x') + std::to_string(id));
        }
    }
    std::string bytes = test::read_file(file);
    const std::size_t page = bytes.find(std::string(90, 'x') + "30") / kPageBytes * kPageBytes;
    REQUIRE(page != 0);
    bytes[page] = '\xFF';  // no kind of page
    folder.write("names.db", bytes);
    store::Connection connection(file, store::Connection::Mode::kReadOnly);
    store::NameCache names(connection, "player");
    std::int64_t found = 0;
    for (std::int64_t id = 1; id <= kNames; ++id) {
        try {
            const std::string_view name = names.name(id);
            CHECK(name.substr(90) == std::to_string(id));
            ++found;
        } catch (const store::DamageError&) {
            CHECK(std::abs(id - 30) < 10);
        }
    }
    CHECK(found > kNames - 10);
    CHECK(found < kNames);
}
