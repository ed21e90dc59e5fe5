// Fine sums of big positions: a check compares them with the games, and copies of segments take
// them along.
#include <catch2/catch.hpp>
#include <fstream>

#include "ingest/importer.hpp"
#include "store/fine_sums_fixtures.hpp"
#include "support/delete_games.hpp"
#include "upkeep/upkeep_fixtures.hpp"

namespace {

using namespace fendex;
using test::Random;
using test::run_sql;

constexpr char kCountRows[] = "SELECT count(*) FROM fine_sum";

/// Imports an archive with so many short games, besides some others.
void import_short_games(const std::string& path, int games) {
    const std::string archive = path + ".pgn";
    std::ofstream(archive) << test::archive_with_everything(games);
    ingest::import_files(path, {archive}, {});
}

std::int64_t integer(const std::string& path, const std::string& sql) {
    return store::Connection(path, store::Connection::Mode::kReadOnly).integer(sql).value();
}

}  // namespace

TEST_CASE("A check compares fine sums with the games") {
    const test::TemporaryDirectory directory;
    const std::string path = directory / "games.db";
    import_short_games(path, 5000);
    REQUIRE(integer(path, kCountRows) > 0);
    REQUIRE(test::checked(path).findings.empty());
    SECTION("rows with another checksum") {
        REQUIRE(run_sql(path, "UPDATE fine_sum SET data = data || x'00'"));
        CHECK_FALSE(test::checked(path).findings.empty());
        const auto targets = test::targets_of(chess::AnyPosition(), query::Match::kExact);
        store::GameFilter filter;
        filter.mode = codec::Mode::kRated;
        CHECK_THROWS_AS(store::file_store(path)->reader()->engine().tree(targets, filter, {}, {}),
                        store::DamageError);
    }
    SECTION("other sums with a right checksum") {
        const store::Connection connection(path, store::Connection::Mode::kReadWrite);
        const std::vector<store::SegmentRecord> segments =
            store::read_segments(connection, store::SegmentKind::kMainLine, false);
        const store::SegmentRecord& segment = segments.front();
        const std::uint64_t key = chess::AnyPosition().key();
        store::FineSumReader rows(connection);
        rows.load();
        const auto row =
            store::read_fine_row(rows.row(segment.id, key).value(), segment.shape, key);
        REQUIRE(row);
        auto sums = codec::decode_fine_sums(row->encoded, segment.shape.games);
        REQUIRE(sums);
        ++sums->groups.back().sums.back().tally.occurrences;
        const std::string changed =
            store::fine_row(codec::encode_fine_sums(*sums), row->mark, segment.shape, key);
        store::Statement(connection, "UPDATE fine_sum SET data = ?1 WHERE key = ?2")
            .run(store::Blob{changed}, store::sql_order(key));
        const upkeep::CheckReport report = test::checked(path);
        CHECK_FALSE(report.findings.empty());
        CHECK(test::kinds_of(report.findings) == std::set<std::string>{"sum"});
    }
    SECTION("rows of a summary that another program has changed") {
        REQUIRE(run_sql(path, "CREATE TABLE old AS SELECT * FROM fine_sum"));
        test::delete_games(path, {7, 8, 1000, 2999});
        CHECK(test::checked(path).findings.empty());
        REQUIRE(run_sql(path, "REPLACE INTO fine_sum SELECT * FROM old; DROP TABLE old"));
        CHECK(test::checked(path).findings.empty());
    }
}

TEST_CASE("A database takes over fine sums with the segments of another one") {
    const test::TemporaryDirectory directory;
    const std::string from = directory / "from.db";
    const std::string to = directory / "to.db";
    import_short_games(from, 5000);
    import_short_games(to, 300);
    Random random(14);
    ingest::import_files(to, {from}, {});
    CHECK(integer(from, kCountRows) > 0);
    CHECK(integer(to, kCountRows) == integer(from, kCountRows));
    CHECK(test::compare_with_brute_store(to, random, 30) > 10);
    CHECK(test::checked(to).findings.empty());
}
