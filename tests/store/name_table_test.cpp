#include "store/sqlite/tables/name_table.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <random>
#include <string>

namespace {

using namespace fendex;

/// A table of players in memory, as a writer sees it.
class Players {
  public:
    Players() { connection_.run("CREATE TABLE player(id INTEGER PRIMARY KEY, name UNIQUE)"); }

    /// Opens the table as a new writer does.
    void reopen(std::size_t limit) {
        table_.emplace(connection_, source_, store::kPlayers, sum_);
        table_->limit(limit);
    }
    /// Compares the id of a name with the one that it got first.
    void ask(const std::string& name) {
        const std::int64_t id = table_->id(name);
        const auto [known, is_new] = ids_.try_emplace(name, id);
        wrong_ += known->second == id && id != 0 ? 0U : 1U;
        wrong_ += table_->known_id(name) == id ? 0U : 1U;
    }
    /// Compares the rows and their checksums with what was asked.
    void check() {
        table_->write();
        store::Statement row(connection_, "SELECT id, name FROM player");
        std::size_t rows = 0;
        for (; row.step(); ++rows) {
            const auto asked = ids_.find(std::string(row.text(1)));
            wrong_ += asked != ids_.end() && asked->second == row.integer(0) ? 0U : 1U;
        }
        CHECK(rows == ids_.size());
        const store::LocatedSum stored = store::sum_of_names(connection_, store::kPlayers);
        CHECK((sum_ - stored).sum == 0);
        CHECK(wrong_ == 0);
    }
    store::Connection& connection() { return connection_; }
    store::NameTable& table() { return *table_; }

  private:
    store::Connection connection_{":memory:", store::Connection::Mode::kCreate};
    store::NewRowsSource source_{connection_};
    store::LocatedSum sum_;
    std::optional<store::NameTable> table_;
    std::map<std::string, std::int64_t> ids_;
    std::size_t wrong_ = 0;
};

std::string name_of(unsigned number) {
    return "Player " + std::to_string(number * 7919 % 1'000'003);
}

}  // namespace

TEST_CASE(
    "Names keep their ids over writes, in a table that grows large, and when it is reopened") {
    Players players;
    players.reopen(std::size_t{1} << 30);
    for (unsigned i = 0; i < 62'000; ++i) players.ask(name_of(i));
    players.check();
    // Now the table is large: new names are inserted in the order of their index.
    for (unsigned i = 58'000; i < 66'000; ++i) players.ask(name_of(i));
    players.check();

    std::mt19937 random(3);
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1} << 30}) {
        // With room for all names they are read at once after some were looked for.
        players.reopen(limit);
        for (unsigned i = 0; i < 9'000; ++i)
            players.ask(name_of(static_cast<unsigned>(random() % 80'000)));
        players.check();
    }
    players.table().forget_cached();
    for (unsigned i = 0; i < 9'000; ++i)
        players.ask(name_of(static_cast<unsigned>(random() % 90'000)));
    players.check();
}

TEST_CASE("Names that a rollback has undone get new ids") {
    Players players;
    players.reopen(0);
    for (unsigned i = 0; i < 10; ++i) players.ask(name_of(i));
    players.table().write();
    players.connection().run("BEGIN");
    for (unsigned i = 10; i < 20; ++i) static_cast<void>(players.table().id(name_of(i)));
    players.table().write();
    static_cast<void>(players.table().id("not written"));
    players.connection().run("ROLLBACK");
    players.table().forget();
    CHECK(players.table().known_id("not written") == 0);
    CHECK(players.table().known_id(name_of(12)) == 0);
    CHECK(players.table().known_id(name_of(3)) == 4);
    CHECK(players.table().id("another") == 11);
}
