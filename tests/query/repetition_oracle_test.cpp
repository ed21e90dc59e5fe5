// Repetitions and runs of the halfmove clock against pgn-extract's filters.
#include <catch2/catch.hpp>
#include <fstream>
#include <set>

#include "ingest/importer.hpp"
#include "query/repetition_analysis.hpp"
#include "support/corpus.hpp"
#include "support/pgn_extract.hpp"
#include "support/process.hpp"

using namespace fendex;
using namespace fendex::test;

TEST_CASE("pgn-extract's own games pass its filters as it says") {
    const std::string folder = std::string(FENDEX_TEST_DATA) + "/repeats/";
    const TemporaryDirectory directory;
    const std::string database = directory / "a.db";
    const ingest::ImportSummary imported =
        ingest::import_files(database, {folder + "pgn-extract.pgn"}, {});
    CHECK(imported.games == 19);
    CHECK(imported.errors == 0);
    std::set<std::string> expected;
    std::ifstream lines(folder + "pgn-extract.tsv");
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with('#')) expected.insert(line);
    }
    const auto reader = store::open_reader(database);
    query::GameMatcher all(*reader);
    query::RepetitionAnalysis analysis(*reader, all);
    std::set<std::string> found;
    analysis.for_each({}, [&](const query::RepeatedPosition& row) {
        found.insert(std::to_string(row.repetition.game) + "\trepetition");
        return true;
    });
    analysis.for_each_run({}, [&](const query::ClockRun& row) {
        found.insert(std::to_string(row.run.game) + "\tfifty");
        if (row.run.ply75) found.insert(std::to_string(row.run.game) + "\tseventyfive");
        return true;
    });
    CHECK(found == expected);
}

TEST_CASE("pgn-extract lets the same games of an archive through, but for its en passant squares") {
    const std::string archive = corpus_file("human.pgn.zst");
    if (archive.empty() || !have_pgn_extract()) return;
    constexpr unsigned kGames = 12'000;
    const TemporaryDirectory directory;
    const std::string pgn = directory / "games.pgn";
    unsigned number = 0;
    {
        std::ofstream out(pgn, std::ios::binary);
        for_each_game(archive, [&](std::string_view text, bool) {
            out << '[' << kNumberTag << " \"" << ++number << "\"]\n" << text << "\n\n";
            return number != kGames;
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
    ingest::ImportOptions options;
    options.ply_rows = ingest::PlyRowChoice::kNo;
    const std::string database = directory / "a.db";
    ingest::import_files(database, {pgn}, options);
    const auto reader = store::open_reader(database);
    query::GameMatcher all(*reader);
    query::RepetitionAnalysis analysis(*reader, all);
    std::set<store::GameId> repeated;
    std::size_t behind_double_steps = 0;
    analysis.for_each({}, [&](const query::RepeatedPosition& row) {
        const auto& [game, key, plies] = row.repetition;
        // A position right behind a double step is another one to it, whether or not the pawn can
        // be taken. It can be only the first of ours.
        const bool double_step =
            analysis.position(game, plies.front()).standard()->en_passant_square() !=
            chess::kNoSquare;
        if (double_step && plies.size() == 3) ++behind_double_steps;
        if (plies.size() - (double_step ? 1U : 0U) >= 3) repeated.insert(game);
        return true;
    });
    CHECK((repeated == passed("--repetition")));
    CHECK(repeated.size() > 300);
    CHECK(behind_double_steps > 0);
    std::set<store::GameId> quiet;
    analysis.for_each_run({}, [&](const query::ClockRun& row) {
        quiet.insert(row.run.game);
        return true;
    });
    CHECK((quiet == passed("--fifty")));
    CHECK(quiet.size() > 3);
}
