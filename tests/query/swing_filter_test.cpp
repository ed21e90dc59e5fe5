// The filters --swing, --white-swing and --black-swing against a plain loop over the evaluations
// that were written into random games, and over random records of positions: with and without the
// games' annotations, after deletions, a repair and an upgrade.
#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ask/filter_fields.hpp"
#include "ingest/importer.hpp"
#include "query/game_filter.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/upgrade/upgrade.hpp"
#include "support/delete_games.hpp"
#include "support/evaluated_games.hpp"
#include "support/memory_store.hpp"
#include "support/process.hpp"
#include "upkeep/database_check.hpp"
#include "upkeep/repair.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
using store::GameId;

using Conditions = std::vector<std::pair<std::string, std::string>>;

Conditions random_conditions(Random& random) {
    const std::string least = std::to_string(random() % 4 == 0 ? 0 : random() % 900);
    switch (random() % 6) {
        case 0: return {{"swing", least}};
        case 1: return {{"white-swing", least}};
        case 2: return {{"black-swing", least}, {"white", one_of(random, kEvaluatedPlayers)}};
        case 3: return {{"swing", least}, {"player", one_of(random, kEvaluatedPlayers)}};
        case 4:
            return {{"swing", least},
                    {"player", one_of(random, kEvaluatedPlayers)},
                    {"player", one_of(random, kEvaluatedPlayers)}};
        default: return {{"white-swing", least}, {"black-swing", "100"}};
    }
}

bool fits(const EvaluatedGame& game, const Conditions& conditions,
          const EvaluatedPositions& records) {
    std::vector<std::optional<Eval>> evals = game.own;
    if (!game.swing(true, evals) && !game.swing(false, evals)) {
        evals.clear();
        for (const std::string& epd : game.epds) {
            const auto known = records.find(epd);
            evals.push_back(known == records.end() ? std::nullopt : std::optional(known->second));
        }
    }
    std::vector<std::string> players;
    for (const auto& [name, value] : conditions) {
        if (name == "player") players.push_back(value);
    }
    if (players.size() == 1 && game.white != players[0] && game.black != players[0]) return false;
    if (players.size() == 2 && !(game.white == players[0] && game.black == players[1]) &&
        !(game.white == players[1] && game.black == players[0])) {
        return false;
    }
    const auto reaches = [&](bool white, int least) {
        const std::optional<int> swing = game.swing(white, evals);
        return swing && *swing >= least;
    };
    return std::ranges::all_of(conditions, [&](const auto& condition) {
        const auto& [name, value] = condition;
        if (name == "white") return game.white == value;
        if (name == "player") return true;
        const int least = std::stoi(value);
        if (name == "white-swing") return reaches(true, least);
        if (name == "black-swing") return reaches(false, least);
        const bool of_one = players.size() == 1;
        return (reaches(true, least) && (!of_one || game.white == players[0])) ||
               (reaches(false, least) && (!of_one || game.black == players[0]));
    });
}

class Database {
  public:
    explicit Database(unsigned seed) : random_(seed), path_(directory_ / "games.db") {
        for (int i = 0; i < 400; ++i) games_.push_back(random_evaluated_game(random_));
        records_ = random_records(random_, games_);
    }

    void import_games(bool annotations) {
        ingest::ImportOptions options;
        options.annotations = annotations;
        // The second import continues the first.
        std::string text;
        for (std::size_t i = 0; i < games_.size(); ++i) {
            text += games_[i].text;
            if (i != games_.size() / 3 && i + 1 != games_.size()) continue;
            ingest::import_files(path_, {directory_.write("games.pgn", text)}, options);
        }
    }
    void import_records() {
        ingest::import_files(path_, {directory_.write("evals.jsonl", lines_of(records_))}, {});
        known_ = records_;
    }
    void remove(const std::vector<GameId>& games) {
        delete_games(path_, games);
        deleted_.insert(deleted_.end(), games.begin(), games.end());
    }
    const std::string& path() const { return path_; }

    void check() {
        const auto store = store::file_store(path_);
        check_store(*store);
    }
    void check_store(store::Store& store) {
        const store::Reader reader = store.reader();
        for (int i = 0; i < 60; ++i) {
            const Conditions conditions = random_conditions(random_);
            query::GameFilter filter;
            std::string shown;
            for (const auto& [name, value] : conditions) {
                ask::set_field(filter, name, value);
                shown += "--" + name + " " + value + " ";
            }
            CAPTURE(shown);
            std::vector<GameId> expected;
            for (GameId id = 1; id <= games_.size(); ++id) {
                if (std::ranges::find(deleted_, id) == deleted_.end() &&
                    fits(games_[id - 1], conditions, known_)) {
                    expected.push_back(id);
                }
            }
            // Game by game first: after that the set of all is known.
            query::GameMatcher matcher(*reader, filter);
            const GameId one = 1 + random_() % games_.size();
            if (std::ranges::find(deleted_, one) == deleted_.end()) {
                CHECK(matcher(one) == std::ranges::binary_search(expected, one));
            }
            CHECK(query::select_games(*reader, matcher) == expected);
            CHECK(matcher.count() == expected.size());
        }
    }
    void check_sound() const {
        const upkeep::CheckReport report = upkeep::check_database(path_, {.threads = 1});
        for (const upkeep::Damage& damage : report.findings.listed()) UNSCOPED_INFO(damage.message);
        CHECK(report.findings.empty());
    }

  private:
    TemporaryDirectory directory_;
    Random random_;
    std::string path_;
    std::vector<EvaluatedGame> games_;
    EvaluatedPositions records_;
    EvaluatedPositions known_;  // those that were imported
    std::vector<GameId> deleted_;
};

void run(const std::string& path, const std::string& sql) {
    store::Connection(path, store::Connection::Mode::kReadWrite).run(sql);
}

bool has_table(const std::string& path) {
    return store::Connection(path, store::Connection::Mode::kReadOnly)
        .integer("SELECT 1 FROM sqlite_schema WHERE name = 'game_swing'")
        .has_value();
}

}  // namespace

TEST_CASE("Filters by swings find what a plain loop over the evaluations finds") {
    const bool annotations = GENERATE(false, true);
    CAPTURE(annotations);
    Database database(annotations ? 5 : 6);
    database.import_games(annotations);
    database.check();
    database.check_sound();
    database.import_records();
    database.check();
    database.remove({3, 17, 200, 201, 399});
    database.check();
    database.check_sound();
    upkeep::repair_database(database.path(), {});
    database.check();
    database.check_sound();
}

TEST_CASE("A store in memory answers filters by swings, too") {
    Database database(7);
    database.import_games(true);
    const auto store = memory_store(database.path());
    database.check_store(*store);
}

TEST_CASE("A check finds wrong swings, and a repair restores those of games with annotations") {
    Database database(8);
    database.import_games(true);
    // As before the first swing: as if no game had any.
    run(database.path(), "DROP TABLE game_swing");
    CHECK_FALSE(upkeep::check_database(database.path(), {.threads = 1}).findings.empty());
    upkeep::repair_database(database.path(), {});
    database.check();
    database.check_sound();
    run(database.path(), "UPDATE game_swing SET data = zeroblob(9)");
    CHECK_FALSE(upkeep::check_database(database.path(), {.threads = 1}).findings.empty());
    upkeep::repair_database(database.path(), {});
    database.check();
    database.check_sound();
}

TEST_CASE("Damaged swings of games without annotations are lost, and a repair says so") {
    Database database(9);
    database.import_games(false);
    run(database.path(), "UPDATE game_swing SET data = zeroblob(9)");
    const store::Reader reader = store::file_store(database.path())->reader();
    query::GameFilter filter;
    ask::set_field(filter, "swing", "1");
    CHECK_THROWS_AS(query::GameMatcher(*reader, filter).count(), store::DamageError);
    const upkeep::RepairReport report = upkeep::repair_database(database.path(), {});
    REQUIRE(report.doubts.size() == 1);
    CHECK(report.doubts.front().what == "swing");
    database.check_sound();
}

TEST_CASE("An upgrade finds the swings of games whose annotations are kept") {
    const bool annotations = GENERATE(false, true);
    Database database(10);
    database.import_games(annotations);
    run(database.path(), "DELETE FROM meta WHERE name IN ('swings', 'row_sums')");
    if (annotations) run(database.path(), "DROP TABLE game_swing");
    database.check_sound();
    CHECK(upkeep::check_database(database.path(), {.threads = 1}).has_swings == !annotations);
    CHECK(store::upgrade_database(database.path(), {}).end == store::UpgradeReport::End::kDone);
    database.check();
    database.check_sound();
    CHECK(store::upgrade_database(database.path(), {}).end ==
          store::UpgradeReport::End::kNothingToDo);
}

TEST_CASE("The table of swings is made with the first game that has one") {
    const TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    const std::string plain = directory.write("plain.pgn", "1. e4 {good} e5 2. Nf3 *\n");
    ingest::import_files(path, {plain}, {});
    CHECK_FALSE(has_table(path));
    const std::string evals = directory.write(
        "evals.pgn", "1. d4 {[%eval 0.2]} d5 {[%eval 1.2]} *\n\n1. c4 {[%eval 0.1]} *\n");
    ingest::import_files(path, {evals}, {});
    CHECK(has_table(path));
    const store::Reader reader = store::file_store(path)->reader();
    query::GameFilter filter;
    ask::set_field(filter, "black-swing", "100");
    query::GameMatcher matcher(*reader, filter);
    CHECK(query::select_games(*reader, matcher) == std::vector<GameId>{2});
    CHECK_THROWS_AS(ask::set_field(filter, "swing", "2001"), query::FilterError);
}
