// The index: segments written while games are being read, absorbed segments, leftovers, and
// rebuilding. In all cases the contents are the same.
#include "store/sqlite/index/indexing.hpp"

#include <catch2/catch.hpp>

#include "ingest/ingest_fixtures.hpp"
#include "store/sqlite/index/reindex.hpp"
#include "store/sqlite/writer/writer.hpp"
#include "store/store.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using ingest::ImportOptions;
using test::Imported;
using test::PgnArchive;
using test::TemporaryDirectory;

const PgnArchive& archive() {
    static const PgnArchive kArchive = test::random_archive(121, 300);
    return kArchive;
}

ImportOptions small_segments(std::uint64_t postings, unsigned threads = 2) {
    ImportOptions options = test::threads(threads);
    options.ply_rows = ingest::PlyRowChoice::kNo;
    options.batch_bytes = 700;
    options.read_bytes = 300;
    options.segment_postings = postings;
    options.again = true;  // some read the same text twice
    return options;
}

/// Checks that segments have no gaps, hold every posting once, and that there are no other blocks.
void check_segments(const Imported& imported, const PgnArchive& games = archive()) {
    CHECK(imported.rows("SELECT count(*) FROM block WHERE segment NOT IN (SELECT id FROM segment)")
              .front() == "0");
    std::uint64_t postings = 0;
    store::GameId next = 1;
    const auto writer = store::open_sqlite_writer(imported.path());
    for (const auto& segment : writer->segments(store::SegmentKind::kMainLine)) {
        CHECK(segment.first_game == next);
        next = segment.last_game + 1;
        postings += segment.postings;
    }
    CHECK(next == games.games.size() + 1);
    CHECK(postings == games.plies() + games.games.size());
    writer->close();
    CHECK(imported.info().unindexed_games == 0);
    CHECK(imported.info().fingerprint == games.fingerprint());
}

std::uint64_t number(const Imported& imported, const std::string& sql) {
    return std::stoull(imported.rows(sql).front());
}

}  // namespace

TEST_CASE("Segments written during an import hold the same as a single segment", "[full]") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    const std::string expected = Imported({file}, small_segments(1 << 30)).content();
    for (const std::uint64_t postings : {1ULL, 600ULL, 2500ULL}) {
        for (const unsigned threads : test::at_size(std::vector{8U}, std::vector{1U, 2U, 8U})) {
            CAPTURE(postings, threads);
            const Imported imported({file, file}, small_segments(postings, threads));
            CHECK(imported.info().index_pieces > (postings == 2500 ? 2U : 4U));
            CHECK(number(imported, "SELECT value FROM meta WHERE name = 'postings_written'") >=
                  imported.info().positions);
            PgnArchive twice = archive();
            twice.games.insert(twice.games.end(), archive().games.begin(), archive().games.end());
            check_segments(imported, twice);
            test::check_found(imported, twice, test::at_size<std::size_t>(7, 1));
            CHECK(imported.rows("SELECT count(*) FROM source WHERE complete AND games = 300")
                      .front() == "2");
        }
    }
    ImportOptions strict = small_segments(1);
    strict.strict = true;
    const Imported imported({file}, strict);
    CHECK(imported.info().index_pieces == 1);
    CHECK((imported.content() == expected));
}

TEST_CASE("Small segments at the end of the index are absorbed", "[full]") {
    const TemporaryDirectory directory;
    const auto game_file = [&](std::size_t first, std::size_t last) {
        return directory.write("a.pgn", archive().text(first, last));
    };
    // The first is large, the others come one by one, or a few at a time.
    const std::size_t before = 100;
    Imported imported({game_file(0, before)}, small_segments(3000));
    const std::size_t step = test::at_size<std::size_t>(4, 1);
    for (std::size_t i = before; i < archive().games.size(); i += step) {
        imported.again({game_file(i, i + step)}, small_segments(3000, i / step % 2 == 0 ? 1 : 3));
        if (i % 20 != 0) continue;
        const auto writer = store::open_sqlite_writer(imported.path());
        const auto segments = writer->segments(store::SegmentKind::kMainLine);
        writer->close();
        // A segment has more than four times the postings of the next one, unless it is a large
        // one.
        for (std::size_t n = 1; n < segments.size(); ++n) {
            const std::uint64_t postings = segments[n - 1].postings;
            CHECK((postings >= 3000 || postings > 4 * segments[n].postings));
        }
        CHECK(segments.size() < 8);
    }
    check_segments(imported);
    test::check_found(imported, archive());
    const std::string whole = directory.write("whole.pgn", archive().text());
    CHECK((imported.content() == Imported({whole}, small_segments(1 << 30)).content()));
    // Each posting of the games that came one by one was written a few times.
    const std::uint64_t written =
        number(imported, "SELECT value FROM meta WHERE name = 'postings_written'");
    CHECK(written > imported.info().positions * 2);
    CHECK(written < imported.info().positions * 15);
}

TEST_CASE("A failed import leaves its finished segments and its committed games") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    std::uint64_t unindexed = 0;
    for (const std::uint64_t games : {40U, 110U, 200U}) {
        ImportOptions options = small_segments(2000);
        options.plies_per_commit = 300;
        options.progress = [&](const ingest::ImportProgress& progress) {
            if (progress.games > games) throw std::runtime_error("enough");
        };
        Imported imported({directory.write("b.pgn", archive().games[0].text)},
                          small_segments(2000));
        CHECK_THROWS_WITH(imported.again({file}, options), "enough");
        const store::StoreInfo left = imported.info();
        CHECK(left.games > games / 2);
        CHECK((left.index_pieces > 1 || games < 100));
        unindexed += left.unindexed_games;
        PgnArchive there;
        there.games.push_back(archive().games[0]);
        for (std::size_t i = 0; i + 1 < left.games; ++i) there.games.push_back(archive().games[i]);
        test::check_found(imported, there, 3);
        // The next import adds only what was left.
        imported.again({directory.write("c.pgn", archive().games[1].text)}, small_segments(2000));
        there.games.push_back(archive().games[1]);
        check_segments(imported, there);
        test::check_found(imported, there);
    }
    CHECK(unindexed != 0);
}

TEST_CASE(
    "Remains of segments are removed whatever their numbers, and the numbers are not reused") {
    const TemporaryDirectory directory;
    Imported imported({directory.write("a.pgn", archive().text(0, 50))}, small_segments(300));
    const std::uint64_t blocks = number(imported, "SELECT count(*) FROM block");
    {
        store::Connection connection(imported.path(), store::Connection::Mode::kReadWrite);
        connection.run(
            "INSERT INTO block(segment, first_key, part, data)"
            " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
            " SELECT i % 7 * 5000 - 10000, i, 0, x'00' FROM n");
    }
    test::check_found(imported, {{archive().games.begin(), archive().games.begin() + 50}});
    {
        const auto writer = store::open_sqlite_writer(imported.path());
        CHECK(number(imported, "SELECT count(*) FROM block") == blocks);
        const std::int64_t id = writer->begin_segment();
        CHECK(writer->begin_segment() == id + 1);  // no row of either is there
        writer->add_block(7, 0, "");
        writer->commit();
        CHECK(writer->begin_segment() == id + 2);
        writer->rollback();
    }
    CHECK(number(imported, "SELECT count(*) FROM block") == blocks + 1);
    store::open_sqlite_writer(imported.path())->close();
    CHECK(number(imported, "SELECT count(*) FROM block") == blocks);
}

TEST_CASE("The index is rebuilt from the games, in any number of segments", "[full]") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    const Imported imported({file}, small_segments(600));
    const std::uint64_t segments = imported.info().index_pieces;
    const std::string content = imported.content();
    const auto step = test::at_size<std::size_t>(10, 1);
    std::size_t round = 0;
    for (const std::uint64_t games : {1ULL << 28, 300ULL, 299ULL, 41ULL}) {
        for (const unsigned threads : {1U, 3U}) {
            if (test::left_to_full_size(round++, 3)) continue;
            const auto writer = store::open_sqlite_writer(imported.path());
            store::ReindexOptions options;
            options.threads = threads;
            options.memory_bytes = threads == 1 ? 1 : std::size_t{1} << 28;
            options.games_per_segment = games;
            double last = 0;
            bool rising = true;
            options.progress = [&](double share) {
                rising = rising && share >= last && share <= 1;
                last = share;
            };
            store::reindex(imported.path(), *writer, options);
            CHECK(imported.info().index_pieces !=
                  0);  // the old segments are there until the commit
            writer->commit();
            writer->close();
            CHECK(rising);
            CHECK(last > 0.98);
            CHECK(imported.info().index_pieces == (300 + games - 1) / games);
            check_segments(imported);
            test::check_found(imported, archive(), step * threads);
        }
    }
    CHECK(segments > 4);
    CHECK((imported.content() == content));
    // One that is stopped changes nothing.
    for (const double stop : {0.0, 0.2, 0.6, 0.9}) {
        if (test::left_to_full_size(round++, 3)) continue;
        {
            const auto writer = store::open_sqlite_writer(imported.path());
            store::ReindexOptions options;
            options.progress = [&](double share) {
                if (share >= stop) throw std::runtime_error("enough");
            };
            CHECK_THROWS_WITH(store::reindex(imported.path(), *writer, options), "enough");
            writer->commit();
        }
        CHECK(imported.info().index_pieces == (300 + 41 - 1) / 41);
        test::check_found(imported, archive(), 7 * step);
        store::open_sqlite_writer(imported.path())->close();  // removes the remains
        check_segments(imported);
    }
}
