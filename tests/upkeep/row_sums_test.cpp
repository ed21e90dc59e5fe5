// Rows that are stored once and follow from nothing: a change is found by the checksum of their
// table, and a repair that cannot undo it says so.
#include <functional>
#include <map>

#include "store/sqlite/file_store.hpp"
#include "store/sqlite/repair/raw_rows.hpp"
#include "support/delete_games.hpp"
#include "upkeep/compact.hpp"
#include "upkeep/upkeep_fixtures.hpp"

using namespace fendex;
using namespace fendex::test;

namespace {

std::vector<std::string> names_of(const std::vector<store::Doubt>& doubts) {
    std::vector<std::string> out;
    for (const store::Doubt& doubt : doubts) out.push_back(doubt.what);
    return out;
}

/// Calls write(), and leaves row_sums as it was: as an earlier program does, which does not know
/// it.
template <typename Write>
void write_as_earlier_program(const std::string& path, Write write) {
    const std::string read = "SELECT hex(value) FROM meta WHERE name = 'row_sums'";
    std::string before;
    {
        store::Connection connection(path, store::Connection::Mode::kReadOnly);
        before = connection.text(read).value_or("");
    }
    write();
    REQUIRE(run_sql(path, "UPDATE meta SET value = x'" + before + "' WHERE name = 'row_sums'"));
}

std::int64_t number(const Damaged& damaged, const std::string& sql) {
    store::Connection connection(damaged.path(), store::Connection::Mode::kReadOnly);
    return connection.integer(sql).value_or(-1);
}

}  // namespace

TEST_CASE("A repair reports and records the values that it could not restore") {
    struct Case {
        const char* sql;
        std::vector<std::string> doubts;
    };
    const Damaged damaged;
    for (const Case& each : {
             Case{"UPDATE player SET name = name || ' jr.' WHERE id = 2", {"names"}},
             Case{"UPDATE source SET path = 'x' WHERE id = 1; DELETE FROM import_error WHERE id = "
                  "1; UPDATE meta SET value = 'x' WHERE name = 'id'",
                  {"source", "import_error", "id"}},
             // These are put right.
             Case{"UPDATE source SET games = 3 WHERE id = 1;"
                  "UPDATE opening SET name = 'A00 Mine' WHERE id = 1;"
                  "UPDATE meta SET value = 1 WHERE name = 'plies';"
                  "UPDATE import_error SET game_id = 3000 WHERE game_id IS NULL",
                  {}},
         }) {
        INFO(each.sql);
        damaged.restore();
        const std::int64_t errors = number(damaged, "SELECT count(*) FROM import_error");
        damaged.sql(each.sql);
        const std::int64_t lost = errors - number(damaged, "SELECT count(*) FROM import_error");
        CHECK_FALSE(checked(damaged.path()).findings.empty());
        const upkeep::RepairReport report = upkeep::repair_database(damaged.path(), {});
        CHECK(names_of(report.doubts) == each.doubts);
        CHECK(number(damaged, "SELECT count(*) FROM import_error") ==
              errors - lost + static_cast<std::int64_t>(each.doubts.size()));
        CHECK(number(damaged,
                     "SELECT count(*) FROM import_error WHERE game_id IS NULL AND reason"
                     " LIKE 'repair: %checksum%' OR reason LIKE 'repair: the id %'") ==
              static_cast<std::int64_t>(each.doubts.size()));
        const upkeep::CheckReport after = checked(damaged.path());
        INFO("after the repair:\n" << text_of(after.findings));
        CHECK(after.findings.empty());
        CHECK(upkeep::repair_database(damaged.path(), {}).doubts.empty());
    }
}

TEST_CASE("A check names a single name that was changed or lost") {
    const Damaged damaged;
    const auto message = [&](const std::string& sql) {
        damaged.restore();
        damaged.sql(sql);
        const upkeep::Findings findings = checked(damaged.path()).findings;
        for (const upkeep::Damage& damage : findings.listed()) {
            if (damage.kind == "names") return damage.message;
        }
        return std::string();
    };
    CHECK_THAT(message("UPDATE tag_value SET name = 'Elsewhere' WHERE id = 2"),
               Catch::EndsWith(": tag_value 2, now 'Elsewhere'"));
    const upkeep::RepairReport report = upkeep::repair_database(damaged.path(), {});
    REQUIRE(report.doubts.size() == 1);
    CHECK_THAT(report.doubts[0].reason, Catch::Contains("tag_value 2, now 'Elsewhere'"));
    CHECK_THAT(message("DELETE FROM player WHERE id = 3"),
               Catch::EndsWith(": player 3, which is missing"));
    CHECK_THAT(message("UPDATE player SET name = name || '!' WHERE id IN (2, 5)"),
               Catch::StartsWith("their checksum does not match"));
    const auto row = [&](const std::string& sql) {
        damaged.restore();
        damaged.sql(sql);
        return checked(damaged.path()).findings.listed().at(0).row;
    };
    CHECK(row("UPDATE import_error SET text = 'x' WHERE id = 3") == 3);
    CHECK(row("UPDATE source SET options = 'x' WHERE id = 2") == 2);
}

TEST_CASE("A check skips missing checksums, and the next writer adds them") {
    const Damaged damaged;
    damaged.sql(kForgetRowSums + "UPDATE source SET path = 'x' WHERE id = 1");
    CHECK(checked(damaged.path()).findings.empty());
    store::file_store(damaged.path())->writer()->close();
    const upkeep::CheckReport report = checked(damaged.path());
    INFO(text_of(report.findings));
    CHECK(report.findings.empty());
    damaged.sql("UPDATE source SET path = 'y' WHERE id = 1");
    CHECK(kinds_of(checked(damaged.path()).findings) == std::set<std::string>{"source"});
}

TEST_CASE("A writer does not update the checksum of a changed row") {
    const Damaged damaged;
    damaged.sql(
        "UPDATE source SET path = 'x' WHERE id = 1; UPDATE import_error SET text = 'x' WHERE id ="
        " 1; UPDATE meta SET value = 'x' WHERE name = 'id'");
    const auto before = checked(damaged.path()).findings.counts();
    CHECK(before ==
          std::map<std::string, std::uint64_t>{{"import_error", 1}, {"meta", 1}, {"source", 1}});
    test::delete_games(damaged.path(), {3, 276});
    const TemporaryDirectory directory;
    ingest::import_files(damaged.path(), {directory.write("one.pgn", "1. b3 b6 2. Qxx *\n")}, {});
    CHECK(upkeep::compact(damaged.path(), {}));
    CHECK(checked(damaged.path()).findings.counts() == before);
}

TEST_CASE("A repair rebuilds the index of variations, even if segments are missing or of no kind") {
    const Damaged damaged;
    for (const char* sql :
         {"DELETE FROM segment WHERE kind = 1; DELETE FROM block WHERE segment = 3",
          "UPDATE segment SET kind = 'x' WHERE kind = 1"}) {
        INFO(sql);
        damaged.restore();
        damaged.sql(sql);
        CHECK(upkeep::repair_database(damaged.path(), {}).doubts.empty());
        CHECK(number(damaged, "SELECT sum(postings) FROM segment WHERE kind = 1") == 2);
        CHECK(checked(damaged.path()).findings.empty());
    }
}

TEST_CASE("A writer refuses a segment of no kind instead of indexing its games again") {
    const Damaged damaged;
    damaged.sql("UPDATE segment SET kind = 'x' WHERE id = 1");
    CHECK_THROWS_WITH(store::file_store(damaged.path())->writer(),
                      Catch::Contains("segment 1") && Catch::Contains("fendex repair"));
}

TEST_CASE("Rows of an earlier program are not damage, and the next writer adds checksums") {
    const Damaged damaged;
    const TemporaryDirectory directory;
    const std::string more = directory.write("more.pgn", "1. b3 b6 2. Qxx *\n\n1. a3 a6 *\n");
    const std::function<void()> ways[] = {
        [&] { ingest::import_files(damaged.path(), {more}, {}); },
        [&] {
            test::delete_games(damaged.path(), {3, 276});
        },
        [&] { CHECK(upkeep::compact(damaged.path(), {})); },
        [&] {
            upkeep::repair_database(damaged.path(), {});
            damaged.sql("INSERT INTO meta VALUES ('variations_from', 0)");  // as it does
        },
    };
    for (const auto& way : ways) {
        damaged.restore();
        CHECK(checked(damaged.path()).has_row_sums);
        write_as_earlier_program(damaged.path(), way);
        const upkeep::CheckReport report = checked(damaged.path());
        INFO(text_of(report.findings));
        CHECK(report.findings.empty());
        CHECK_FALSE(report.has_row_sums);
        store::file_store(damaged.path())->writer()->close();
        CHECK(checked(damaged.path()).findings.empty());
        CHECK(checked(damaged.path()).has_row_sums);
        damaged.sql(
            "UPDATE player SET name = 'x' WHERE id = 2; UPDATE source SET path = 'y'"
            " WHERE id = 2");
        const upkeep::Findings findings = checked(damaged.path()).findings;
        CHECK(findings.counts() ==
              std::map<std::string, std::uint64_t>{{"names", 1}, {"source", 1}});
        CHECK_THAT(text_of(findings), Catch::Contains("player 2, now 'x'"));
    }
}

TEST_CASE("Checksums are skipped only after an earlier program, not after a changed number") {
    const Damaged damaged;
    for (const char* sql :
         {"UPDATE meta SET value = value + 1 WHERE name = 'postings_written'",
          "UPDATE meta SET value = CAST(substr(value, 1, 8) ||"
          " CASE substr(value, 9, 1) WHEN x'00' THEN x'01' ELSE x'00' END || substr(value, 10)"
          " AS BLOB) WHERE name = 'row_sums'"}) {
        INFO(sql);
        damaged.restore();
        damaged.sql(sql);
        CHECK(kinds_of(checked(damaged.path()).findings) == std::set<std::string>{"meta"});
    }
    CHECK_THROWS_WITH(store::file_store(damaged.path())->writer(),
                      Catch::Contains("row_sums") && Catch::Contains("fendex repair"));
    const upkeep::RepairReport report = upkeep::repair_database(damaged.path(), {});
    CHECK(names_of(report.doubts) == std::vector<std::string>{"row_sums"});
    CHECK(checked(damaged.path()).findings.empty());
}
