// Repetitions and runs of the halfmove clock against pgn-extract's filters.
#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "ingest/importer.hpp"
#include "query/repetition_analysis.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/pgn_extract.hpp"
#include "support/process.hpp"
#include "support/skip.hpp"

using namespace fendex;
using namespace fendex::test;

TEST_CASE("pgn-extract's own games pass its filters as it says") {
    const std::string folder = std::string(FENDEX_TEST_DATA) + "/repeats/";
    const TemporaryFile database("a.db");
    const ingest::ImportSummary imported =
        ingest::import_files(database, {folder + "pgn-extract.pgn"}, {});
    CHECK(imported.games == 19);
    CHECK(imported.errors == 0);
    std::set<std::string> expected;
    std::ifstream lines(folder + "pgn-extract.tsv");
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with('#')) expected.insert(line);
    }
    const auto reader = store::file_store(database)->reader();
    query::GameMatcher all(*reader);
    query::RepetitionAnalysis analysis(*reader, all);
    std::set<std::string> found;
    analysis.for_each({}, [&](const query::RepeatedPosition& row) {
        found.insert(std::to_string(row.repetition.game) + "\trepetition");
        return true;
    });
    analysis.for_each_run({}, [&](const query::ClockRun& row) {
        found.insert(std::to_string(row.game) + "\tfifty");
        if (row.ply75) found.insert(std::to_string(row.game) + "\tseventyfive");
        return true;
    });
    CHECK(found == expected);
}

namespace {

/// The number of an archive's games of each kind.
struct Passed {
    std::size_t repeated = 0;
    std::size_t behind_double_steps = 0;
    std::size_t quiet = 0;
};

/// Checks that our filters and pgn-extract's select the same among the first `games_wanted` games.
Passed check_filters(const std::string& archive, unsigned games_wanted) {
    const TemporaryDirectory directory;
    const std::string pgn = directory / "games.pgn";
    unsigned number = 0;
    {
        std::ofstream out(pgn, std::ios::binary);
        for_each_game(archive, [&](std::string_view text, bool) {
            out << '[' << kNumberTag << " \"" << ++number << "\"]\n" << text << "\n\n";
            return number != games_wanted;
        });
    }
    const auto passed = [&](const std::string& filter) {
        const Outcome outcome = run_process({find_program("pgn-extract"), "-s", filter, pgn});
        std::set<store::GameId> games;
        const std::string tag = std::string("[") + kNumberTag + " \"";
        for (const std::string& line : lines_of(outcome.out)) {
            if (line.starts_with(tag)) games.insert(std::stoull(line.substr(tag.size())));
        }
        return games;
    };
    const std::string database = directory / "a.db";
    ingest::import_files(database, {pgn}, {.ply_rows = ingest::PlyRowChoice::kNo});
    const auto reader = store::file_store(database)->reader();
    query::GameMatcher all(*reader);
    query::RepetitionAnalysis analysis(*reader, all);
    std::set<store::GameId> repeated;
    std::size_t behind_double_steps = 0;
    analysis.for_each({}, [&](const query::RepeatedPosition& row) {
        const auto game = row.repetition.game;
        const auto& plies = row.repetition.plies;
        // To pgn-extract a position directly after a double step is a different one, even if no
        // pawn can capture. It can only be our first occurrence.
        const bool double_step =
            analysis.position(game, plies.front()).standard()->en_passant_square() !=
            chess::kNoSquare;
        if (double_step && plies.size() == 3) ++behind_double_steps;
        if (plies.size() - (double_step ? 1U : 0U) >= 3) repeated.insert(game);
        return true;
    });
    CHECK((repeated == passed("--repetition")));
    std::set<store::GameId> quiet;
    analysis.for_each_run({}, [&](const query::ClockRun& row) {
        quiet.insert(row.game);
        return true;
    });
    CHECK((quiet == passed("--fifty")));
    return {repeated.size(), behind_double_steps, quiet.size()};
}

}  // namespace

TEST_CASE("pgn-extract lets the same games of an archive through, but for its en passant squares") {
    if (skip_without("pgn-extract")) return;
    const Passed human = check_filters(corpus_cut() + "/human.pgn.zst", 300);
    CHECK(human.repeated > 20);
    const Passed samples = check_filters(FENDEX_SAMPLES "/repetitions.pgn", 9);
    CHECK(samples.behind_double_steps > 0);
    const Passed curiosities = check_filters(FENDEX_TEST_DATA "/repeats/pgn-extract.pgn", 19);
    CHECK(curiosities.quiet > 3);
}

TEST_CASE("pgn-extract lets the same games of the corpus through, but for its en passant squares",
          "[.corpus]") {
    if (skip_without("pgn-extract")) return;
    const Passed passed = check_filters(whole_corpus() + "/human.pgn.zst", 12'000);
    CHECK(passed.repeated > 300);
    CHECK(passed.behind_double_steps > 0);
    CHECK(passed.quiet > 3);
}
