// An import that is interrupted anywhere and repeated has the same result as one without a break:
// games, numbers, errors and places. Also the ledger's rows for sources that are imported again.
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>

#include "ingest/ingest_fixtures.hpp"
#include "pgn/pgn_fixtures.hpp"
#include "pgn/source_fixtures.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using ingest::ImportOptions;
using test::everything;
using test::Imported;
using test::TemporaryDirectory;
namespace fs = std::filesystem;

ImportOptions small_batches() {
    ImportOptions options{.threads = 2,
                          .ply_rows = ingest::PlyRowChoice::kNo,
                          .batch_bytes = 1,
                          .read_bytes = 300,
                          .plies_per_commit = 1};
    return options;
}

/// Begins with plain games: what follows a comment that is never closed is one batch, because the
/// reader looks far ahead for a closing brace.
std::string nasty_text() {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "[Event \"plain\"]\n\n1. e4 e5 2. Ke2 *\n\n";
    for (std::string each : pgn::test::nasty_texts()) {
        std::erase(each, '\0');  // a file with NUL bytes would be refused
        text += each + "\n[Event \"next\"]\n\n1. e4 e5 2. Ke3 *\n";
    }
    return text + "\n\nsome prose behind the last game 1-0 1-0\n";
}

}  // namespace

TEST_CASE("An import interrupted after any batch and resumed stores the same as without a break") {
    const TemporaryDirectory directory;
    const std::string first = directory.write("first.pgn", "1. e4 e5 1-0\n");
    const std::string text = nasty_text() + test::random_archive(103, 12).text();
    const std::string file = directory.write("nasty.pgn", text);
    const std::string last = directory.write("last.pgn", "junk\n1. d4 d5 0-1\n");
    const std::vector<std::string> inputs{first, file, last};
    const Imported reference(inputs, small_batches());
    const std::string expected = everything(reference);
    unsigned batches = 1;
    for (;; ++batches) {
        if (test::left_out(batches, 3)) continue;
        CAPTURE(batches);
        Imported imported;
        if (test::import_batches(imported, inputs, small_batches(), batches)) break;
        imported.again(inputs, small_batches());
        REQUIRE((everything(imported) == expected));
        CHECK(imported.info().unindexed_games == 0);
    }
    CHECK(batches > 15);

    // Repeated, one batch further each time (the last one is always lost).
    Imported imported;
    unsigned runs = 1;
    while (!test::import_batches(imported, inputs, small_batches(), 2)) ++runs;
    CHECK(runs > 10);
    CHECK((everything(imported) == expected));
}

TEST_CASE("An import stopped at any moment and resumed stores the same as without a break",
          "[full]") {
    const TemporaryDirectory directory;
    const std::string file =
        directory.write("a.pgn", nasty_text() + test::random_archive(105, 30).text());
    const std::string expected = everything(Imported({file}, small_batches()));
    unsigned stops = 0;
    unsigned while_indexing = 0;
    const unsigned steps = test::at_size(6U, 16U);
    for (unsigned asked = 0;; asked += 1 + asked / steps) {
        CAPTURE(asked);
        Imported imported;
        ImportOptions options = small_batches();
        options.segment_postings = 300;
        std::atomic<unsigned> times = 0;  // called by the source and the importer
        options.stop = [&] { return times++ >= asked; };
        bool indexing = false;
        options.progress = [&](const ingest::ImportProgress& progress) {
            indexing = progress.phase == ingest::ImportProgress::Phase::kIndexing;
        };
        const bool stopped = imported.again({file}, options).stopped;
        if (!stopped) break;
        ++stops;
        while_indexing += indexing ? 1U : 0U;
        imported.again({file}, small_batches());
        REQUIRE((everything(imported) == expected));
    }
    CHECK(stops > 30);
    CHECK(while_indexing > 5);
}

TEST_CASE("An import can be stopped while it reads text without games") {
    const TemporaryDirectory directory;
    const std::string blanks(std::size_t{32} << 20, ' ');
    const std::string file =
        directory.write("a.pgn.gz", pgn::test::gzip_member("[Event \"a\"]\n\n*\n" + blanks));
    ImportOptions options;
    std::atomic<unsigned> asked = 0;
    options.stop = [&] { return asked++ >= 30; };
    Imported imported;
    CHECK(imported.again({file}, options).stopped);
    CHECK(asked < 60);
}

TEST_CASE("An import is resumed from an archive of any format") {
    const TemporaryDirectory directory;
    const std::string text = test::random_archive(104, 40).text();
    for (const auto& format : pgn::test::formats()) {
        CAPTURE(format.name);
        const std::string file =
            directory.write(format.name, format.compress(text.substr(0, 4000)) +
                                             format.compress(text.substr(4000)));
        const std::string expected = everything(Imported({file}, small_batches()));
        for (const unsigned batches : {2U, 17U, 30U}) {
            Imported imported;
            REQUIRE_FALSE(test::import_batches(imported, {file}, small_batches(), batches));
            imported.again({file}, small_batches());
            CHECK((everything(imported) == expected));
        }
    }
}

TEST_CASE("An incomplete last game is replaced by the whole one when its file has grown") {
    const TemporaryDirectory directory;
    const std::string other = directory.write("other.pgn", "1. h4 *\n");
    for (const std::string& before : {std::string(), std::string("1. d4 d5 *\n\n")}) {
        const std::string begun = before + "junk\n\n[Event \"a\"]\n\n1. e4 xx e5 2. Nf3";
        const std::string file = directory.write("a.pgn", begun);
        Imported imported({file}, small_batches());
        imported.again({file}, small_batches());  // nothing new
        const std::uint64_t games = imported.info().games;
        CHECK(imported.rows("SELECT open_game FROM source") ==
              std::vector<std::string>{std::to_string(games)});
        imported.again({other}, small_batches());

        const std::string whole = begun + " Nc6 1-0\n\n1. c4 0-1\n";
        directory.write("a.pgn", whole);
        imported.again({file}, small_batches());
        CHECK(imported.info().games == games + 2);
        CHECK(imported.info().errors == 2);
        CHECK(imported.rows("SELECT count(*) FROM game WHERE id = " + std::to_string(games)) ==
              std::vector<std::string>{"0"});
        CHECK(imported.rows("SELECT id || '|' || plies || '|' || result FROM game ORDER BY id DESC"
                            " LIMIT 2") ==
              std::vector<std::string>{std::to_string(games + 3) + "|1|2",
                                       std::to_string(games + 2) + "|1|1"});
        CHECK(imported.rows("SELECT byte || '|' || line FROM import_error WHERE game_id > 1 ORDER "
                            "BY id DESC LIMIT 1") ==
              std::vector<std::string>{std::to_string(begun.find("xx")) + "|" +
                                       (before.empty() ? "5" : "7")});
        // Another text is another source.
        const std::string stays = imported.content();
        directory.write("a.pgn", "1. a3 a6");
        imported.again({file}, small_batches());
        directory.write("a.pgn", "1. b3 b6 *\n");
        imported.again({file}, small_batches());
        CHECK(imported.info().games == games + 4);
        CHECK(imported.content().size() > stays.size());
    }
}

TEST_CASE("A damaged archive is reported at each import, and continued when it is whole") {
    const TemporaryDirectory directory;
    const std::string text = test::random_archive(105, 60).text();
    for (const auto& format : pgn::test::formats()) {
        CAPTURE(format.name);
        const std::string archive = format.compress(text);
        const std::string file =
            directory.write("a.pgn", archive.substr(0, archive.size() / 3 * 2));
        Imported imported({file}, small_batches());
        if (imported.summary().failures.empty()) continue;  // plain text
        const std::string before = everything(imported);
        CHECK(imported.again({file}, small_batches()).failures.size() == 1);
        CHECK((everything(imported) == before));
        directory.write("a.pgn", archive);
        CHECK(imported.again({file}, small_batches()).failures.empty());
        const Imported whole({file}, small_batches());
        CHECK(imported.info().games == whole.info().games);
        CHECK(imported.info().plies == whole.info().plies);
        CHECK(imported.info().errors == whole.info().errors);
    }
}

TEST_CASE("A source that can no longer be opened keeps its imported games") {
    const TemporaryDirectory directory;
    const std::string file = directory.write("a.pgn", nasty_text());
    Imported imported;
    REQUIRE_FALSE(test::import_batches(imported, {file}, small_batches(), 4));
    const std::string before = everything(imported);
    fs::rename(file, file + ".away");
    fs::create_directory(file);
    CHECK(imported.again({file}, small_batches()).failures.size() == 1);
    CHECK((everything(imported) == before));
    fs::remove(file);
    fs::rename(file + ".away", file);
    imported.again({file}, small_batches());
    CHECK((everything(imported) == everything(Imported({file}, small_batches()))));
}

TEST_CASE("An incomplete game that was not indexed is in no sum after it is replaced") {
    const TemporaryDirectory directory;
    std::string text;
    for (int i = 0; i < 300; ++i) text += "1. e4 e5 1-0\n";
    const std::string file = directory.write("a.pgn", text + "1. e4");
    Imported imported;
    ImportOptions options = small_batches();
    options.read_bytes = 5000;
    // The games are committed, but the index is not written.
    bool indexing = false;
    options.progress = [&](const ingest::ImportProgress& progress) {
        indexing |= progress.phase == ingest::ImportProgress::Phase::kIndexing;
    };
    options.stop = [&] { return indexing; };
    CHECK(imported.again({file}, options).stopped);
    CHECK(imported.info().unindexed_games == 301);

    directory.write("a.pgn", text + "1. e4 c5 0-1\n");
    imported.again({file}, small_batches());
    CHECK(imported.info().games == 301);
    const auto reader = store::file_store(imported.path())->reader();
    std::uint64_t occurrences = 0;
    const store::PositionOverview overview = reader->local()->overview(chess::Position().key());
    for (const store::PositionSums& part : overview.sums) {
        occurrences += part.total.occurrences;
    }
    CHECK(occurrences + overview.candidates.size() == 301);
}
