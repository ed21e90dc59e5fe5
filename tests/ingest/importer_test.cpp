// Imports: the result does not depend on how an archive is compressed, cut, spread over threads or
// appended.
#include "ingest/importer.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "ingest/ingest_fixtures.hpp"
#include "pgn/source_fixtures.hpp"
#include "store/sqlite/file_store.hpp"

namespace {

using namespace fendex;
using ingest::ImportOptions;
using test::Imported;
using test::PgnArchive;
using test::TemporaryDirectory;

const PgnArchive& archive() {
    static const PgnArchive kArchive = test::random_archive(101, 160);
    return kArchive;
}

/// Checks a database of the archive.
void check_archive(const Imported& imported) {
    const store::StoreInfo info = imported.info();
    CHECK(info.games == archive().games.size());
    CHECK(info.plies == archive().plies());
    CHECK(info.positions == archive().plies() + archive().games.size());
    CHECK(info.errors == 0);
    CHECK(info.unindexed_games == 0);
    CHECK(info.fingerprint == archive().fingerprint());
}

}  // namespace

TEST_CASE("The same is stored with any number of threads, however the text is read and cut") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    const Imported reference({file}, test::ply_rows(ingest::PlyRowChoice::kNo));
    check_archive(reference);
    test::check_found(reference, archive());
    const std::string expected = reference.content();
    for (const unsigned threads : {1U, 2U, 8U}) {
        for (const auto& [batch, read] : std::vector<std::pair<std::size_t, std::size_t>>{
                 {1, 1}, {1, 7}, {100, 1000}, {5000, 3}, {20'000, 4096}, {1 << 20, 1 << 20}}) {
            CAPTURE(threads, batch, read);
            const Imported imported({file}, {.threads = threads,
                                             .ply_rows = ingest::PlyRowChoice::kNo,
                                             .batch_bytes = batch,
                                             .read_bytes = read});
            check_archive(imported);
            CHECK((imported.content() == expected));
        }
    }
}

TEST_CASE("The same is stored when postings do not fit into the memory") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    for (const std::size_t memory : {std::size_t{1}, std::size_t{1} << 20, std::size_t{1} << 28}) {
        for (const unsigned threads : {1U, 3U}) {
            const ImportOptions options{
                .threads = threads, .memory_bytes = memory, .batch_bytes = 4000};
            const Imported imported({file}, options);
            check_archive(imported);
            test::check_found(imported, archive());
        }
    }
}

TEST_CASE("The same is stored from an archive of any format") {
    const TemporaryDirectory directory;
    for (const auto& format : pgn::test::formats()) {
        // Two parts, as when archives are appended to each other; the name says nothing.
        const std::string text = archive().text();
        const std::string file =
            directory.write(format.name, format.compress(text.substr(0, 5000)) +
                                             format.compress(text.substr(5000)));
        CAPTURE(format.name);
        check_archive(Imported({file}));
    }
}

TEST_CASE("The same is stored in one import, of many files, and in many imports") {
    const TemporaryDirectory directory;
    std::vector<std::string> files;
    const std::size_t games = archive().games.size();
    for (std::size_t i = 0; i < 10; ++i) {
        files.push_back(directory.write("part" + std::to_string(i) + ".pgn",
                                        archive().text(games * i / 10, games * (i + 1) / 10)));
    }
    const Imported at_once(files, test::threads(2));
    check_archive(at_once);
    CHECK(at_once.info().sources == 10);
    CHECK(at_once.info().index_pieces == 1);

    Imported appended({files[0]}, test::threads(2));
    for (std::size_t i = 1; i < files.size(); ++i) {
        const auto& summary = appended.again({files[i]}, test::threads(2));
        CHECK(summary.games == games * (i + 1) / 10 - games * i / 10);
    }
    check_archive(appended);
    CHECK((appended.content() == at_once.content()));
    CHECK(appended.info().index_pieces < 5);
    test::check_found(appended, archive());
    CHECK(appended.rows("SELECT first_game || '|' || games || '|' || complete FROM source"
                        " ORDER BY id LIMIT 2") == std::vector<std::string>{"1|16|1", "17|16|1"});
}

TEST_CASE("The smallest possible games keep their tags") {
    // Short enough for std::string's inner buffer: views of it would become invalid when it moves.
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", "[A \"b\"]*\n");
    for (const unsigned threads : {1U, 2U}) {
        const Imported imported({file}, test::threads(threads));
        store::StoredGame game;
        REQUIRE(store::file_store(imported.path())->reader()->game(1, game));
        CHECK(game.tags == std::vector<std::pair<std::string, std::string>>{{"A", "b"}});
    }
}

TEST_CASE("Games of an import that was killed are found, and indexed by the next one") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    Imported imported({file});
    {
        store::Connection connection(imported.path(), store::Connection::Mode::kReadWrite);
        connection.run("DELETE FROM segment; DELETE FROM block WHERE id % 2 = 0");
    }
    CHECK(imported.info().unindexed_games == archive().games.size());
    test::check_found(imported, archive(), 20);

    const PgnArchive more = test::random_archive(102, 30);
    PgnArchive all = archive();
    all.games.insert(all.games.end(), more.games.begin(), more.games.end());
    imported.again({directory.write("b.pgn", more.text())}, test::threads(3));
    const store::StoreInfo info = imported.info();
    CHECK(info.unindexed_games == 0);
    CHECK(info.index_pieces == 1);
    CHECK(info.games == all.games.size());
    CHECK(info.fingerprint == all.fingerprint());
    test::check_found(imported, all);
}

TEST_CASE("An import that fails half-way leaves the database as it was") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    Imported imported({directory.write("b.pgn", "1. e4 e5 1-0\n")});
    const store::StoreInfo before = imported.info();
    for (const auto phase :
         {ingest::ImportProgress::Phase::kReading, ingest::ImportProgress::Phase::kIndexing}) {
        ImportOptions options{.threads = 3, .batch_bytes = 1000};
        options.progress = [&](const ingest::ImportProgress& progress) {
            if (progress.phase == phase && progress.games > 100) throw std::runtime_error("enough");
        };
        CHECK_THROWS_WITH(imported.again({file}, options), "enough");
        const store::StoreInfo after = imported.info();
        CHECK(after.games == before.games);
        CHECK(after.fingerprint == before.fingerprint);
        CHECK(after.sources == before.sources);
    }
    imported.again({file});
    CHECK(imported.info().games == archive().games.size() + 1);
}

TEST_CASE("Progress never goes down, and ends with the totals") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    ImportOptions options{.threads = 2, .batch_bytes = 1000};
    options.again = true;  // the same file twice
    ingest::ImportProgress last;
    bool rising = true;
    options.progress = [&](const ingest::ImportProgress& now) {
        rising = rising && now.bytes >= last.bytes && now.games >= last.games &&
                 now.text_bytes >= last.text_bytes && now.bytes <= now.total_bytes;
        last = now;
    };
    const Imported imported({file, file}, options);
    CHECK(rising);
    CHECK(last.phase == ingest::ImportProgress::Phase::kIndexing);
    CHECK(last.games == 2 * archive().games.size());
    CHECK(last.total_bytes == 2 * std::filesystem::file_size(file));
    CHECK(last.bytes == last.total_bytes);
    CHECK(imported.summary().text_bytes == last.total_bytes);
}

TEST_CASE("An import counts the annotations that it does not keep") {
    const TemporaryDirectory directory;
    const std::string text =
        "[Event \"a\"]\n\n1. e4! {x} e5 (1... c5 {y} $1) $2 2. Nf3 { [%eval 0.1] } xx {z} 1-0\n\n"
        "[Event \"b\"]\n\n1. e4 {x} *\n\n[Event \"b\"]\n\n1. e4 {other} *\n\n"
        "[Event \"c\"]\n\n1. e4 e5 2. Sf3 {x} Sc6 3. Bb5 *\n\n";
    const std::string file = directory.write("a.pgn", text);
    ImportOptions options{.skip_duplicates = true};
    Imported imported({file}, options);
    const ingest::AnnotationCounts& left_out = imported.summary().left_out;
    CHECK(left_out.comments == 5);
    CHECK(left_out.glyphs == 2);
    CHECK(left_out.variations == 1);
    CHECK(left_out.timed);
    options.again = options.annotations = true;
    options.skip_duplicates = false;
    const ingest::AnnotationCounts nothing = imported.again({file}, options).left_out;
    CHECK(nothing.comments + nothing.glyphs + nothing.variations == 0);
    CHECK_FALSE(nothing.timed);
}

TEST_CASE("Rows of every ply are stored on request") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", archive().text());
    const ImportOptions options{
        .threads = 2, .ply_rows = ingest::PlyRowChoice::kYes, .batch_bytes = 3000};
    const Imported imported({file}, options);
    CHECK(imported.summary().ply_rows == store::PlyRows::kYes);
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < archive().games.size(); ++i) {
        const test::PgnGame& game = archive().games[i];
        const auto variant = i % 4 == 0 ? chess::Variant::kChess960 : chess::Variant::kStandard;
        chess::Position position = game.start;
        std::map<std::string, int> seen;
        const auto row = [&](std::uint32_t ply, const std::string& move) {
            expected.push_back(std::to_string(i + 1) + "|" + std::to_string(ply) + "|" + move +
                               "|" + std::to_string(static_cast<std::int64_t>(position.key())) +
                               "|" + chess::to_fen(position) + "|" + chess::to_epd(position) + "|" +
                               std::to_string(++seen[chess::to_epd(position)]));
        };
        row(0, "-|-");
        for (std::uint32_t ply = 1; ply <= game.moves.size(); ++ply) {
            const chess::Move move = game.moves[ply - 1];
            const std::string text =
                chess::to_san(position, move) + "|" + chess::to_uci(position, move, variant);
            position.play(move);
            row(ply, text);
        }
    }
    const auto rows = imported.rows(
        "SELECT game_id || '|' || ply || '|' || ifnull(san, '-') || '|' || ifnull(uci, '-') || '|' "
        "||"
        " key || '|' || fen || '|' || epd || '|' || occurrence FROM ply ORDER BY game_id, ply");
    CHECK((rows == expected));
    SECTION("later imports cannot change the choice") {
        Imported fixed({file}, test::ply_rows(ingest::PlyRowChoice::kNo));
        CHECK_THROWS_AS(fixed.again({file}, test::ply_rows(ingest::PlyRowChoice::kYes)),
                        store::StoreError);
        CHECK(fixed.again({file}).ply_rows == store::PlyRows::kNo);
        CHECK(Imported({file}).summary().ply_rows == store::PlyRows::kYes);
    }
}
