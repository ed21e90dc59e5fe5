// fendex upgrade: a database of format 4, 5 or 6 becomes one of the current format with the same
// query results; if anything fails on the way, the old database stays.
#include "store/sqlite/upgrade/upgrade.hpp"

#include "ask/filter_fields.hpp"
#include "codec/game_facts.hpp"
#include "query/game_filter.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/file_store.hpp"
#include "store/sqlite/sums/seals.hpp"
#include "support/data_file.hpp"
#include "support/failing_vfs.hpp"
#include "support/sanitizers.hpp"
#include "upkeep/repair.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;
using End = store::UpgradeReport::End;

namespace {

std::int64_t format_of(const std::string& path) {
    return store::open_any_version(path, store::Connection::Mode::kReadOnly).format();
}

const std::string& old_answers() {
    static const std::string answers = [] {
        const TemporaryDirectory directory;
        return answers_of(directory.write("old.db", format4_database()));
    }();
    return answers;
}

/// Checks a database of either format: it returns the same results as the old one.
void check_answers(const std::string& path) {
    CHECK(answers_of(path) == old_answers());
    const upkeep::CheckReport report = checked(path, 1);
    INFO(text_of(report.findings));
    CHECK(report.findings.empty());
}

bool upgrade_fails(const std::string& path) {
    try {
        return store::upgrade_database(path).end != End::kDone;
    } catch (const store::StoreError&) {
        return true;
    }
}

}  // namespace

TEST_CASE("A database of an older format is checked as it is") {
    const TemporaryDirectory directory;
    const int format = GENERATE(4, 5, 6);
    CAPTURE(format);
    check_answers(directory.write("old.db", older_database(format)));
}

TEST_CASE("An upgraded database answers as before, is clean, and can be written to") {
    const TemporaryDirectory directory;
    const int format = GENERATE(4, 5, 6);
    CAPTURE(format);
    const std::string path = directory.write("old.db", older_database(format));
    REQUIRE(run_sql(path,
                    "CREATE INDEX \"my \"\"own\" ON game(eco);"
                    "CREATE VIEW mine AS SELECT count(*) AS n FROM game;"));
    std::uint64_t needed = 0;
    store::UpgradeOptions options;
    options.announce = [&](const store::UpgradePlan& plan) {
        CHECK(plan.from == format);
        CHECK(plan.to == store::kFormatVersion);
        needed = plan.bytes_needed;
    };
    const store::UpgradeReport report = store::upgrade_database(path, options);
    CHECK(report.end == End::kDone);
    CHECK(report.dropped_segments == 0);
    CHECK(needed >= std::filesystem::file_size(path));
    CHECK(format_of(path) == store::kFormatVersion);
    check_answers(path);
    const auto entries = std::filesystem::directory_iterator(directory.path());
    CHECK(std::distance(begin(entries), end(entries)) == 1);
    {
        const auto reader = store::file_store(path)->reader();
        CHECK(reader->info().id.size() == 32);
        CHECK(reader->info().unindexed_games == 0);
        CHECK_FALSE(reader->has_game(103));  // it was deleted
        CHECK(reader->sources().at(1).options == "--annotations --variations");
    }
    store::Connection connection(path, store::Connection::Mode::kReadOnly);
    CHECK(connection.integer("SELECT n FROM mine") == 381);
    CHECK(
        connection.integer("SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'game' AND name = "
                           "'my \"own'") == 1);

    CHECK(store::upgrade_database(path).end == End::kNothingToDo);

    const std::string more = directory.write("more.pgn", "1. c4 {so} (1. d4) e5 *\n");
    ingest::ImportOptions import;
    import.annotations = import.variations = true;
    CHECK(ingest::import_files(path, {more}, import).games == 1);
    const upkeep::CheckReport after = checked(path, 1);
    INFO(text_of(after.findings));
    CHECK(after.findings.empty());
}

TEST_CASE("An upgrade finds the openings of games, also if the table of openings changed") {
    const TemporaryDirectory directory;
    const auto openings = [](const std::string& path) {
        store::Connection connection(path, store::Connection::Mode::kReadOnly);
        return connection.text(
            "SELECT group_concat(ifnull(opening_eco || ' ' || opening, '-')) FROM games");
    };
    const std::string fresh = directory / "fresh.db";
    const std::string pgn = directory.write("games.pgn", unpacked_data("format4.pgn"));
    ingest::import_files(fresh, {pgn}, {});
    const std::string path = directory.write("old.db", older_database(6));
    CHECK(store::upgrade_database(path).end == End::kDone);
    CHECK(openings(path) == openings(fresh));

    REQUIRE(run_sql(path,
                    "UPDATE meta SET value = 1 WHERE name = 'openings';"
                    "UPDATE opening SET name = 'A00 Older name' WHERE id = 1;"
                    "DELETE FROM meta WHERE name IN ('names_sum', 'row_sums')"));
    CHECK(openings(path) != openings(fresh));
    CHECK(checked(path, 1).findings.empty());  // they cannot be compared
    CHECK(store::upgrade_database(path).end == End::kDone);
    CHECK(openings(path) == openings(fresh));
    CHECK(checked(path, 1).findings.empty());
    CHECK(store::upgrade_database(path).end == End::kNothingToDo);
}

TEST_CASE("An upgrade corrects time controls that an earlier program read differently") {
    const TemporaryFile path("games.db");
    const std::string pgn = path.write_beside(
        "a.pgn", "[TimeControl \"15 min. + 10 s. per move\"]\n\n1. e4 *\n\n1. d4 *\n");
    ingest::import_files(path, {pgn}, {});
    CHECK(checked(path, 1).has_tag_facts);
    const auto facts = [&](store::GameId game) {
        return store::file_store(path)->reader()->facts(game);
    };
    CHECK(facts(1).time_class == codec::TimeClass::kRapid);
    const auto read_as_before = [&] {
        std::vector<codec::GameFacts> old{facts(1), facts(2)};
        old[0].time_class = codec::TimeClass::kUltraBullet;
        std::string chunk = codec::encode_facts(old);
        base::seal(chunk, store::row_seed(store::Sealed::kFact, 0));
        store::Connection connection(path, store::Connection::Mode::kReadWrite);
        store::Statement update(connection, "UPDATE fact SET data = ?1 WHERE chunk = 0");
        update.bind(1, store::Blob{chunk});
        update.run();
    };
    read_as_before();
    CHECK(kinds_of(checked(path, 1).findings) == std::set<std::string>{"fact"});

    REQUIRE(run_sql(path, "DELETE FROM meta WHERE name IN ('tag_facts', 'row_sums')"));
    const upkeep::CheckReport before = checked(path, 1);
    INFO(text_of(before.findings));
    CHECK(before.findings.empty());
    CHECK_FALSE(before.has_tag_facts);
    // Games that are added now do not make the others right.
    ingest::import_files(path, {path.write_beside("b.pgn", "1. c4 *\n")}, {});
    CHECK_FALSE(checked(path, 1).has_tag_facts);
    const bool repaired = GENERATE(false, true);
    if (repaired) {
        upkeep::repair_database(path, {});
    } else {
        CHECK(store::upgrade_database(path).end == End::kDone);
    }
    CHECK(facts(1).time_class == codec::TimeClass::kRapid);
    CHECK(checked(path, 1).findings.empty());
    CHECK(checked(path, 1).has_tag_facts);
    CHECK(store::upgrade_database(path).end == End::kNothingToDo);
}

TEST_CASE("An upgrade keeps the checksum of names, so an earlier change of a name is found") {
    const TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    ingest::import_files(path, {directory.write("a.pgn", unpacked_data("format4.pgn"))}, {});
    const bool changed = GENERATE(false, true);
    CAPTURE(changed);
    if (changed) REQUIRE(run_sql(path, "UPDATE player SET name = name || '.' WHERE id = 1"));
    REQUIRE(run_sql(path,
                    "UPDATE meta SET value = 1 WHERE name = 'openings';"
                    "DELETE FROM meta WHERE name = 'row_sums'"));
    CHECK(store::upgrade_database(path).end == End::kDone);
    const upkeep::CheckReport report = checked(path, 1);
    INFO(text_of(report.findings));
    REQUIRE(report.findings.listed().size() == (changed ? 1U : 0U));
    if (changed) CHECK(report.findings.listed().front().kind == "names");
}

TEST_CASE(
    "Tags that programs of format 4 read differently are not damage, and a repair keeps them") {
    const TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    ingest::import_files(
        path,
        {directory.write("games.pgn",
                         "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/P7/1R2K3 w Q - 0 1\"]\n\n"
                         "1. O-O-O Ke7 2. a4 *\n\n[Result \"won\"]\n\n1. e4 e5 *\n")},
        {});
    // The programs of format 4 ignored both tags: castling made the game Chess960, and the result
    // was that of the marker.
    REQUIRE(run_sql(path,
                    "DELETE FROM meta WHERE name IN ('names_sum', 'row_sums');"
                    "UPDATE tag_value SET name = '?' WHERE name = 'Chess960';"
                    "UPDATE tag_value SET name = '1\u20130' WHERE name = 'won';"));
    const auto check_stored = [&] {
        const upkeep::CheckReport report = checked(path, 1);
        INFO(text_of(report.findings));
        CHECK(report.findings.empty());
        store::Connection connection(path, store::Connection::Mode::kReadOnly);
        CHECK(connection.integer(
                  "SELECT count(*) FROM tag_value WHERE name IN ('?', '1\u20130')") == 2);
        CHECK(connection.integer("SELECT variant FROM game WHERE id = 1") == 1);
        CHECK(connection.integer("SELECT plies FROM game WHERE id = 1") == 3);
        CHECK(connection.integer("SELECT result FROM game WHERE id = 2") == 0);
    };
    check_stored();
    const upkeep::RepairReport repaired = upkeep::repair_database(path, {});
    CHECK(repaired.cut == 0);
    CHECK(repaired.rows == 0);
    check_stored();
    // A standard spelling must agree with the row.
    REQUIRE(run_sql(path, "UPDATE tag_value SET name = '1-0' WHERE name = '1\u20130'"));
    const upkeep::CheckReport report = checked(path, 1);
    INFO(text_of(report.findings));
    CHECK(kinds_of(report.findings) == std::set<std::string>{"fact", "game", "names"});
}

TEST_CASE("An upgrade that is stopped leaves the database as it was") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("old.db", format4_database());
    store::UpgradeOptions options;
    options.stop = [] { return true; };
    CHECK(store::upgrade_database(path, options).end == End::kStopped);
    CHECK(format_of(path) == 4);
    check_answers(path);
    directory.write("old.db", format4_database());
    options.stop = {};
    options.announce = [](const store::UpgradePlan&) { throw std::runtime_error("no space"); };
    CHECK_THROWS_WITH(store::upgrade_database(path, options), "no space");
    CHECK((read_file(path) == format4_database()));
}

TEST_CASE("A reader of the old format says that the database has been upgraded") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("old.db", format4_database());
    // The state that a writer leaves if it ends while others read.
    REQUIRE(run_sql(path, "PRAGMA journal_mode = WAL"));
    const auto reader = store::file_store(path)->reader();
    store::upgrade_database(path);
    CHECK(reader->info().games == 381);  // at its snapshot
    CHECK_THROWS_WITH(reader->refresh(), Catch::Contains("upgraded"));
}

TEST_CASE("An upgrade drops damaged parts of the index") {
    const TemporaryDirectory directory;
    for (const char* damage :
         {"UPDATE block SET data = zeroblob(100) WHERE part = 0",
          "UPDATE segment SET key_bits = 99", "UPDATE block SET data = x'00' WHERE part = 2"}) {
        INFO(damage);
        const std::string path = directory.write("old.db", format4_database());
        REQUIRE(run_sql(path, damage));
        CHECK(store::upgrade_database(path).dropped_segments > 0);
        CHECK(answers_of(path) == old_answers());
        CHECK(store::file_store(path)->reader()->info().unindexed_games > 0);
        const auto writer = store::file_store(path)->writer();
        writer->close();
    }
}

TEST_CASE("Whichever write fails, an upgrade is complete or has not happened") {
    FailingVfs vfs;
    const TemporaryFile path("old.db");
    const auto write_old = [&] {
        for (const char* end : {"-wal", "-shm", "-journal"}) std::filesystem::remove(path + end);
        path.write_beside("old.db", format4_database());
    };
    for (const VfsCall call : {VfsCall::kWrite, VfsCall::kSync}) {
        write_old();
        vfs.count(call);
        store::upgrade_database(path);
        const std::uint64_t calls = vfs.calls();
        REQUIRE(calls > 2);
        const std::uint64_t step = 1 + calls / test::fewer(12U, 3);
        for (std::uint64_t first = 1; first <= calls; first += step) {
            INFO("call " << static_cast<int>(call) << ", " << first << " of " << calls);
            vfs.heal();
            write_old();
            vfs.fail({call, kAnyFile, first, VfsFault::kForEver, SQLITE_FULL, true});
            const bool failed = upgrade_fails(path);
            vfs.heal();
            const std::int64_t format = format_of(path);
            if (failed) CHECK(format == 4);
            CHECK(answers_of(path) == old_answers());
            if (format == 4) CHECK(store::upgrade_database(path).end == End::kDone);
            check_answers(path);
        }
    }
}

TEST_CASE("Whenever the power fails, an upgrade is complete or has not happened") {
    FailingVfs vfs;
    const TemporaryFile path("old.db");
    unsigned cuts = 0;
    for (std::uint64_t sync = 1; sync < 100; ++sync) {
        INFO("sync " << sync);
        for (const char* end : {"-wal", "-shm", "-journal"}) std::filesystem::remove(path + end);
        path.write_beside("old.db", format4_database());
        vfs.cut_power(test::VfsCall::kSync, sync);
        const bool failed = upgrade_fails(path);
        const bool is_off = vfs.power_is_off();
        vfs.restore_power(sync);
        CHECK(answers_of(path) == old_answers());
        if (format_of(path) == 4) CHECK(store::upgrade_database(path).end == End::kDone);
        check_answers(path);
        if (!is_off) {
            CHECK_FALSE(failed);
            break;
        }
        ++cuts;
    }
    CHECK(cuts >= 3);
}

TEST_CASE("Filters find the same games in every format") {
    const TemporaryDirectory directory;
    const std::string paths[] = {directory.write("4.db", older_database(4)),
                                 directory.write("5.db", older_database(5)),
                                 directory.write("6.db", older_database(5))};
    REQUIRE(store::upgrade_database(paths[2]).end == End::kDone);
    std::size_t some = 0;
    for (const auto& [field, value] :
         std::vector<std::pair<std::string, std::string>>{{"player", "a"},
                                                          {"white", "b"},
                                                          {"event", "c"},
                                                          {"site", "d"},
                                                          {"eco", "B"},
                                                          {"result", "1-0"},
                                                          {"since", "1950"},
                                                          {"min-elo", "2000"},
                                                          {"time-control", "blitz"},
                                                          {"mode", "rated"},
                                                          {"termination", "n"},
                                                          {"min-plies", "4"},
                                                          {"variant", "chess960"}}) {
        CAPTURE(field, value);
        query::GameFilter filter;
        ask::set_field(filter, field, value);
        std::vector<std::vector<store::GameId>> found;
        for (const std::string& path : paths) {
            const auto reader = store::file_store(path)->reader();
            query::GameMatcher matcher(*reader, filter);
            found.push_back(query::select_games(*reader, matcher));
        }
        CHECK(found[1] == found[0]);
        CHECK(found[2] == found[0]);
        some += found[0].empty() ? 0U : 1U;
    }
    CHECK(some >= 4);
}
