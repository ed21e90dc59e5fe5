// Stored rows that would make loops endless or fill the disk: each verb ends, with or without an
// error, and a repair leaves a clean database.
#include <filesystem>
#include <fstream>

#include "store/sqlite/file_store.hpp"
#include "store/sqlite/repair/raw_rows.hpp"
#include "support/delete_games.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"
#include "upkeep/compact.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

/// Runs a verb; errors of the store are allowed.
template <typename Verb>
void run_to_its_end(Verb verb) {
    try {
        verb();
    } catch (const store::StoreError&) {
    }
}

void delete_some(const std::string& path) { test::delete_games(path, {1, 5, 276}); }

void import_one(const std::string& path) {
    const TemporaryDirectory directory;
    ingest::import_files(path, {directory.write("one.pgn", "1. b3 b6 *\n")}, {});
}

/// Runs every verb that reads or writes rows.
void run_all(const Damaged& damaged, const std::string& sql) {
    const auto run = [&](auto verb) {
        damaged.restore();
        damaged.sql(sql);
        run_to_its_end([&] { verb(damaged.path()); });
    };
    run([](const std::string& path) { checked(path); });
    run([](const std::string& path) { answers_of(path); });
    run(delete_some);
    run(import_one);
    run([](const std::string& path) { upkeep::compact(path, {}); });
    damaged.restore();
    damaged.sql(sql);
    upkeep::repair_database(damaged.path(), {});
    const upkeep::CheckReport after = checked(damaged.path());
    INFO("after the repair:\n" << text_of(after.findings));
    CHECK(after.findings.empty());
}

}  // namespace

TEST_CASE("Every verb ends if the segment of a block is not a number", "[full]") {
    const Damaged damaged;
    std::size_t round = 0;
    std::size_t change = 0;
    for (const std::string value : {"'x'", "x'00ff'", "9e999", "-9e999", "1.5",
                                    "9223372036854775807", "-9223372036854775808"}) {
        if (left_out(round++, 3)) continue;
        INFO(value);
        for (const std::string& sql :
             {"UPDATE block SET segment = " + value + " WHERE id = (SELECT max(id) FROM block)",
              "INSERT INTO block(segment, first_key, part, data) VALUES (" + value +
                  ", 1, 1, x'00'), (" + value + ", 'x', -1, 'y')"}) {
            if (!left_to_full_size(change++, 5)) run_all(damaged, sql);
        }
    }
}

TEST_CASE("Remains of blocks are removed, whatever their segment") {
    const Damaged damaged;
    damaged.sql(
        "INSERT INTO block(segment, first_key, part, data) VALUES ('x', 1, 1, x'00'),"
        " (x'00', 1, 1, x'00'), (9e999, 1, 1, x'00'), (77, 1, 1, x'00'), (-3, 1, 1, x'00')");
    import_one(damaged.path());
    CHECK(checked(damaged.path()).findings.empty());
    store::Connection connection(damaged.path(), store::Connection::Mode::kReadOnly);
    CHECK(connection.integer("SELECT count(*) FROM block WHERE segment NOT IN"
                             " (SELECT id FROM segment)") == 0);
}

TEST_CASE("Impossible rows of segments are repaired", "[full]") {
    const Damaged damaged;
    const std::string answers = answers_of(Damaged::intact());
    std::size_t round = 0;
    for (const std::string kind : {"0", "1"}) {
        for (const std::string change :
             {"key_bits = 99", "key_bits = -1", "key_bits = 'x'", "first_game = 0",
              "first_game = -5", "first_game = 'x'", "last_game = 9e999",
              "last_game = 9223372036854775807", "last_game = 0", "first_game = 2",
              "last_game = last_game + 1", "kind = 7", "kind = 1 - kind", "postings = -1"}) {
            const std::size_t number = round++;
            if (left_out(number, 3) || left_to_full_size(number, 5)) continue;
            const std::string sql =
                "UPDATE segment SET " + change +
                " WHERE id = (SELECT max(id) FROM segment WHERE kind = " + kind + ")";
            INFO(sql);
            run_all(damaged, sql);
            if (kind == "0") CHECK(answers_of(damaged.path()) == answers);
        }
    }
}

TEST_CASE("Every verb ends if segments overlap or are very many", "[full]") {
    const Damaged damaged;
    run_all(damaged,
            "INSERT INTO segment SELECT id + 100, kind, first_game, last_game, postings,"
            " positions, key_bits FROM segment");
    const std::string many =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
        std::to_string(test::at_size(9'900, 199'900)) +
        ")"
        " INSERT INTO segment SELECT 1000 + i, ";
    run_all(damaged, many + "1, 2 * i, 2 * i, 1, 1, 9 FROM n");
    run_all(damaged, many + "0, i, i, 1, 1, 9 FROM n");
    run_all(damaged, many + "i, i, i, 1, 1, 9 FROM n");
}

TEST_CASE("A game with an impossible number does not fill the disk") {
    const Damaged damaged;
    const auto size = std::filesystem::file_size(Damaged::intact());
    std::size_t round = 0;
    for (const std::string number :
         {"900", "40000", "80000000", "4611686018427387904", "9223372036854775807"}) {
        for (const std::string& more :
             {std::string(), "UPDATE meta SET value = " + number + " WHERE name = 'last_game';",
              "UPDATE source SET games = " + number + " - first_game + 1 WHERE id = 2;"}) {
            if (left_out(round++, 4)) continue;
            INFO(number << " " << more);
            damaged.restore();
            damaged.sql(more + "UPDATE game SET id = " + number +
                        " WHERE id = 276;"
                        "UPDATE annotation SET game_id = " +
                        number + " WHERE game_id = 276");
            const upkeep::RepairReport report = upkeep::repair_database(damaged.path(), {});
            CHECK(report.games == 276);
            CHECK(std::filesystem::file_size(damaged.path()) < 2 * size);
            const upkeep::CheckReport after = checked(damaged.path());
            INFO("after the repair:\n" << text_of(after.findings));
            CHECK(after.findings.empty());
            const auto reader = store::file_store(damaged.path())->reader();
            CHECK(reader->info().games == 276);
            CHECK(reader->info().annotated_games == 1);
        }
    }
}

TEST_CASE("A check ends if rows are not in order") {
    const Damaged damaged;
    for (const char* sql : {"INSERT INTO repetition VALUES ('x', 1, 2, '[1,2]', NULL, NULL)",
                            "INSERT INTO quiet_run VALUES (x'00', 100, NULL, 100)",
                            "INSERT INTO repetition VALUES (9e999, 1, 2, '[1,2]', NULL, NULL)"}) {
        INFO(sql);
        damaged.restore();
        damaged.sql(sql);
        CHECK_FALSE(checked(damaged.path()).findings.empty());
        upkeep::repair_database(damaged.path(), {});
        CHECK(checked(damaged.path()).findings.empty());
    }
}

TEST_CASE("Every verb ends if one page of a table replaces another", "[full]") {
    const Damaged damaged;
    const std::string intact = read_file(Damaged::intact());
    constexpr std::size_t kPage = 16'384;
    const std::size_t pages = intact.size() / kPage;
    // Any other page; the first one contains the schema.
    REQUIRE(pages > 20);
    for (std::size_t to = 1; to < pages; to += test::at_size<std::size_t>(11, 1)) {
        for (const std::size_t from : {1 + to * 7 % (pages - 1), 1 + to * 13 % (pages - 1)}) {
            if (from == to) continue;
            INFO("page " << from << " as page " << to);
            std::string file = intact;
            file.replace(to * kPage, kPage, intact.substr(from * kPage, kPage));
            const auto write = [&] {
                std::ofstream(damaged.path(), std::ios::binary | std::ios::trunc) << file;
            };
            write();
            run_to_its_end([&] { checked(damaged.path()); });
            run_to_its_end([&] { answers_of(damaged.path()); });
            run_to_its_end([&] { delete_some(damaged.path()); });
            write();
            run_to_its_end([&] { import_one(damaged.path()); });
            write();
            run_to_its_end([&] { upkeep::compact(damaged.path(), {}); });
            write();
            run_to_its_end([&] {
                upkeep::repair_database(damaged.path(), {});
                const upkeep::CheckReport after = checked(damaged.path());
                INFO("after the repair:\n" << text_of(after.findings));
                CHECK(after.findings.empty());
            });
        }
    }
}
