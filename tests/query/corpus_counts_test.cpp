// Every small archive of the corpus, among them other parsers' hardest files: games, plies and
// errors of each are pinned in tests/data/corpus_counts.tsv, which says why there are errors.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "ingest/importer.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/process.hpp"

namespace {

using namespace fendex;
using namespace fendex::test;
namespace fs = std::filesystem;

struct Counts {
    std::string file;
    std::uint64_t games = 0;
    std::uint64_t plies = 0;
    std::uint64_t errors = 0;
    bool refused = false;  // not PGN: nothing of it is stored
};

std::vector<Counts> pinned_counts() {
    std::ifstream table(FENDEX_TEST_DATA "/corpus_counts.tsv");
    REQUIRE(table);
    std::vector<Counts> rows;
    for (std::string line; std::getline(table, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream fields(line);
        Counts& row = rows.emplace_back();
        std::getline(fields, row.file, '\t');
        std::string note;
        fields >> row.games >> row.plies >> row.errors >> note;
        row.refused = note == "refused:";
        INFO(line);
        REQUIRE((fields || fields.eof()));  // the note may be missing
    }
    return rows;
}

/// Imports the small archives of the corpus, or of its cut, and compares with the table. At least
/// `refused` files are refused.
void check_counts(const std::string& corpus, const std::vector<Counts>& pinned,
                  std::size_t least_refused) {
    const TemporaryFile database("corpus.db");
    std::vector<std::string> inputs;
    std::set<std::string> files;
    for (const Counts& row : pinned) {
        inputs.push_back(corpus + "/" + row.file);
        files.insert(row.file);
    }
    ingest::ImportOptions options{.threads = 2, .ply_rows = ingest::PlyRowChoice::kNo};
    options.again = true;  // some files have the same content
    const ingest::ImportSummary summary = ingest::import_files(database, inputs, options);

    Counts total;
    std::size_t refused = 0;
    store::Connection connection(database, store::Connection::Mode::kReadOnly);
    store::Statement sources(connection,
                             "SELECT path, games, plies, (SELECT count(*) FROM import_error"
                             " WHERE source = source.id AND severity = 0) FROM source ORDER BY id");
    for (std::size_t i = 0; i < pinned.size(); ++i) {
        const Counts& row = pinned[i];
        CAPTURE(row.file);
        refused += row.refused ? 1U : 0U;
        if (row.refused) continue;
        REQUIRE(sources.step());
        REQUIRE(sources.text(0) == inputs[i]);
        CHECK(sources.integer(1) == static_cast<std::int64_t>(row.games));
        CHECK(sources.integer(2) == static_cast<std::int64_t>(row.plies));
        CHECK(sources.integer(3) == static_cast<std::int64_t>(row.errors));
        total.games += row.games;
        total.plies += row.plies;
        total.errors += row.errors;
    }
    CHECK_FALSE(sources.step());
    CHECK(refused >= least_refused);
    CHECK(std::count_if(summary.failures.begin(), summary.failures.end(), [](const auto& failure) {
              return failure.find("is not PGN") != failure.npos;
          }) == static_cast<std::ptrdiff_t>(refused));
    const store::StoreInfo info = store::file_store(database)->reader()->info();
    CHECK(info.games == total.games);
    CHECK(info.plies == total.plies);
    CHECK(info.errors == total.errors);
    CHECK(summary.games == total.games);
    CHECK(summary.plies == total.plies);
    CHECK(summary.errors == total.errors);
    for (const char* const folder : {"annotated", "nasty", "online", "variants"}) {
        for (const auto& entry : fs::recursive_directory_iterator(corpus + "/" + folder)) {
            if (!entry.is_regular_file()) continue;
            const std::string file = fs::relative(entry.path(), corpus).string();
            CAPTURE(file);
            CHECK(files.count(file) == 1);
        }
    }
}

}  // namespace

TEST_CASE("Archives that break parsers give their known games, plies and errors") {
    std::vector<Counts> pinned = pinned_counts();
    std::erase_if(pinned, [](const Counts& row) {
        // Its cut has fewer games.
        return row.file == "annotated/endgames-from-fen.pgn" ||
               !fs::exists(corpus_cut() + "/" + row.file);
    });
    REQUIRE(pinned.size() > 30);
    pinned.push_back({"annotated/endgames-from-fen.pgn", 20, 344, 0});
    check_counts(corpus_cut(), pinned, 4);
}

TEST_CASE("Every small archive of the corpus gives its known games, plies and errors",
          "[.corpus]") {
    check_counts(whole_corpus(), pinned_counts(), 20);
}
