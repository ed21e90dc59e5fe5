// Table name_alias: random joins and splits against plain sets of names; what keeps joined names;
// damage of the table is found and repaired.
#include <algorithm>
#include <fstream>
#include <map>
#include <random>

#include "ingest/importer.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/delete_games.hpp"
#include "upkeep/backup.hpp"
#include "upkeep/compact.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;
using store::NameKind;

namespace {

/// Joined names by the texts of names.
using Joins = std::map<std::string, std::string>;

Joins joins_of(store::Store& store, NameKind kind) {
    const store::Reader reader = store.reader();
    store::LocalReader& local = *reader->local();
    std::map<std::int64_t, std::string> names;
    local.for_each_name(kind, [&](std::int64_t id, std::string_view name) { names[id] = name; });
    Joins joins;
    local.for_each_name_join([&](const store::NameJoin& join) {
        if (join.kind != kind) return;
        joins[names.at(join.name)] = names.at(join.canonical);
        CHECK(join.origin == "test");
        CHECK(join.joined > 1'700'000'000);
    });
    return joins;
}
Joins joins_of(const std::string& path, NameKind kind = NameKind::kPlayer) {
    return joins_of(*store::file_store(path), kind);
}

std::string name_of(std::uint64_t number) { return "Name " + std::to_string(number); }

/// A database of some games with the players and events "Name 0" to "Name 9".
std::string make_database(const TemporaryDirectory& directory) {
    std::string text;
    for (unsigned i = 0; i < 10; ++i) {
        text += "[Event \"" + name_of(i) + "\"]\n[White \"" + name_of(i) + "\"]\n[Black \"" +
                name_of((i + 1) % 10) + "\"]\n\n1. e4 e5 *\n\n";
    }
    std::string path = directory / "games.db";
    ingest::import_files(path, {directory.write("games.pgn", text)}, {});
    return path;
}

void join(const std::string& path, const Joins& joins) {
    const auto writer = store::file_store(path)->writer("names");
    for (const auto& [name, canonical] : joins) {
        REQUIRE(writer->joined_names()->join_name(NameKind::kPlayer, name, canonical, "test") == 1);
    }
    writer->commit();
    writer->close();
}

const Joins kJoins{
    {"Name 1", "Name 0"}, {"Name 2", "Name 0"}, {"Name 4", "Name 3"}, {"Name 5", "Nobody"}};

/// A database with joined names, one of which no game has.
class WithJoins {
  public:
    WithJoins() : path_(make_database(directory_)) { join(path_, kJoins); }
    const std::string& path() const { return path_; }
    void require_kept() const {
        CHECK(joins_of(path_) == kJoins);
        const upkeep::CheckReport report = checked(path_);
        INFO(text_of(report.findings));
        CHECK(report.findings.empty());
    }
    const TemporaryDirectory& directory() const { return directory_; }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};

/// Joins as sets of names, of one kind.
class Model {
  public:
    std::size_t join(const std::string& name, const std::string& canonical) {
        const std::string from = person(name);
        const std::string to = person(canonical);
        if (from == to) return 0;
        for (auto& each : joins) {
            if (each.second == from) each.second = to;
        }
        joins[from] = to;
        return 1;
    }
    std::size_t split(const std::string& name) {
        if (joins.erase(name) != 0) return 1;
        return std::erase_if(joins, [&](const auto& each) { return each.second == name; });
    }
    Joins joins;

  private:
    std::string person(const std::string& name) const {
        const auto found = joins.find(name);
        return found == joins.end() ? name : found->second;
    }
};

}  // namespace

TEST_CASE("Names are joined and split like sets of names") {
    const TemporaryDirectory directory;
    const std::string path = make_database(directory);
    const auto store = store::file_store(path);
    CHECK(joins_of(*store, NameKind::kPlayer).empty());
    std::map<NameKind, Model> models;
    std::mt19937_64 random(7);
    for (int round = 0; round < 30; ++round) {
        const auto writer = store->writer("names");
        store::NameJoinWriter& names = *writer->joined_names();
        std::map<NameKind, Model> changed = models;
        for (int step = 0; step < 8; ++step) {
            const NameKind kind = random() % 4 == 0 ? NameKind::kEvent : NameKind::kPlayer;
            const std::string one = name_of(random() % 10);
            const std::string other = name_of(random() % 10);
            Model& model = changed[kind];
            if (random() % 3 == 0) {
                CHECK(names.split_name(kind, one) == model.split(one));
            } else {
                CHECK(names.join_name(kind, one, other, "test") == model.join(one, other));
            }
        }
        CHECK(names.join_name(NameKind::kPlayer, "nobody", name_of(1), "test") == 0);
        CHECK(names.split_name(NameKind::kPlayer, "nobody") == 0);
        if (random() % 3 == 0) {
            writer->rollback();
            CHECK(names.split_name(NameKind::kPlayer, "nobody") == 0);
        } else {
            writer->commit();
            models = changed;
        }
        for (const NameKind kind : {NameKind::kPlayer, NameKind::kEvent}) {
            CHECK(joins_of(*store, kind) == models[kind].joins);
        }
        writer->close();
        const upkeep::CheckReport report = checked(path);
        INFO(text_of(report.findings));
        CHECK(report.findings.empty());
    }
}

TEST_CASE("Joined names stay when the database is changed, copied or repaired") {
    const WithJoins database;
    database.require_kept();
    const std::string& path = database.path();
    // Their games may go, and come again.
    CHECK(delete_games(path, {1, 2, 3, 4, 5, 6}) == 6);
    database.require_kept();
    ingest::import_files(
        path, {database.directory().write("more.pgn", "[White \"Name 1\"]\n\n1. d4 *\n")}, {});
    database.require_kept();
    REQUIRE(upkeep::compact(path, {}));
    database.require_kept();
    static_cast<void>(upkeep::repair_database(path, {}));
    database.require_kept();
    const std::string copy = database.directory() / "copy.db";
    static_cast<void>(upkeep::back_up(path, copy, {}));
    CHECK(joins_of(copy) == kJoins);
}

TEST_CASE("Joined names of a malformed file are copied to a new one") {
    const WithJoins database;
    // The index of a table of names is no longer one: SQLite cannot read the file.
    REQUIRE(run_sql(database.path(),
                    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = (SELECT"
                    " rootpage FROM sqlite_schema WHERE name = 'block') WHERE name ="
                    " 'sqlite_autoindex_site_1'"));
    const upkeep::RepairReport report = upkeep::repair_database(database.path(), {});
    CHECK(report.malformed);
    CHECK(report.joined_names == 0);
    database.require_kept();
}

TEST_CASE("A check finds damaged joins, and a repair keeps all others") {
    struct Damage {
        const char* sql;
        std::set<std::string> lost;  // joined names that a repair drops
    };
    const Damage damages[] = {
        {"UPDATE name_alias SET canonical = canonical + 1 WHERE name = 32 * 2 + 9", {"Name 1"}},
        {"UPDATE name_alias SET joined = joined + 1 WHERE name = 32 * 3 + 9", {"Name 2"}},
        {"UPDATE name_alias SET origin = 'x' WHERE name = 32 * 5 + 9", {"Name 4"}},
        {"UPDATE name_alias SET name = 32 * 2 + 12 WHERE name = 32 * 2 + 9", {"Name 1"}},
        {"UPDATE name_alias SET name = -name WHERE name = 32 * 2 + 9", {"Name 1"}},
        {"DELETE FROM name_alias WHERE name = 32 * 2 + 9", {"Name 1"}},
        {"DELETE FROM name_alias", {"Name 1", "Name 2", "Name 4", "Name 5"}},
        {"UPDATE meta SET value = 9 WHERE name = 'joined_names'", {}},
        {"DELETE FROM meta WHERE name = 'joined_names'", {}},
        {"DELETE FROM player WHERE name = 'Nobody'", {"Name 5"}},
    };
    for (const Damage& damage : damages) {
        CAPTURE(damage.sql);
        const WithJoins database;
        REQUIRE(run_sql(database.path(), damage.sql));
        const upkeep::CheckReport report = checked(database.path());
        INFO(text_of(report.findings));
        CHECK(kinds_of(report.findings).contains("name_alias"));
        const upkeep::RepairReport repaired = upkeep::repair_database(database.path(), {});
        CHECK(repaired.joined_names != 0);
        Joins expected = kJoins;
        for (const std::string& name : damage.lost) expected.erase(name);
        CHECK(joins_of(database.path()) == expected);
        const upkeep::CheckReport again = checked(database.path());
        INFO(text_of(again.findings));
        CHECK(again.findings.empty());
    }
}

TEST_CASE("A damaged join is not shown") {
    const WithJoins database;
    REQUIRE(
        run_sql(database.path(), "UPDATE name_alias SET canonical = 7 WHERE name = 32 * 2 + 9"));
    CHECK_THROWS_WITH(joins_of(database.path()), Catch::Matchers::Contains("name_alias"));
    const auto writer = store::file_store(database.path())->writer("names");
    CHECK_THROWS_AS(writer->joined_names()->split_name(NameKind::kPlayer, "Name 4"),
                    store::DamageError);
}
