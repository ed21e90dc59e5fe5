// Distinct positions and their counts, compared with sets kept in the test.
#include "emit/position_export.hpp"

#include <atomic>
#include <map>
#include <set>

#include "emit/emit_fixtures.hpp"
#include "replay/stored_walk.hpp"
#include "store/sqlite/file_store.hpp"
#include "support/corpus.hpp"
#include "support/sanitizers.hpp"
#include "support/test_size.hpp"

namespace {

using namespace fendex;
using test::Imported;
using test::TemporaryDirectory;

struct Expected {
    std::string fen;
    std::set<std::uint64_t> games;
    std::map<codec::Result, std::set<std::uint64_t>> by_result;
    std::uint64_t occurrences = 0;
};

/// A line per position, in the order of first occurrence.
std::string brute_force(const emit::ExportJob& job, const emit::PositionChoice& choice,
                        emit::RecordFormat format) {
    const auto reader = job.database->reader();
    std::map<std::string, Expected> positions;
    std::vector<std::string> order;
    for (std::uint64_t place = 0; place < job.games.size(); ++place) {
        store::StoredMoves moves;
        REQUIRE(reader->moves(job.games[place], moves));
        if (!chess::has_standard_rules(moves.facts.variant)) continue;
        for (codec::GameWalk walk = replay::walk(job.games[place], moves);; walk.advance()) {
            const std::string epd = chess::to_epd(walk.position());
            Expected& expected = positions[epd];
            if (expected.occurrences++ == 0) {
                order.push_back(epd);
                expected.fen = chess::to_fen(walk.position());
            }
            expected.games.insert(place);
            if (walk.at_end() || walk.ply() == choice.max_ply) break;
        }
    }
    std::string out;
    for (const std::string& epd : order) {
        const Expected& expected = positions[epd];
        if (expected.games.size() < choice.min_games) continue;
        out += format == emit::RecordFormat::kEpd
                   ? epd + " c0 \"games " + std::to_string(expected.games.size()) +
                         ", occurrences " + std::to_string(expected.occurrences) + "\";\n"
                   : expected.fen + '\n';
    }
    return out;
}

void check(const emit::ExportJob& job, const emit::PositionChoice& choice) {
    for (const auto format : {emit::RecordFormat::kEpd, emit::RecordFormat::kFen}) {
        test::TextSink sink;
        const std::uint64_t positions = emit::export_position_records(job, choice, format, sink);
        CHECK((sink.text == brute_force(job, choice, format)));
        CHECK(positions == test::lines_of(sink.text).size());
    }
}

struct PositionCounts {
    std::uint64_t distinct = 0;
    std::uint64_t occurrences = 0;
    std::uint64_t once = 0;  // positions that occur once
};

/// Counts an archive's positions with the export.
PositionCounts positions_of(const std::string& archive) {
    const TemporaryDirectory directory;
    ingest::ImportOptions options = test::threads(2);
    options.ply_rows = ingest::PlyRowChoice::kNo;
    const Imported imported({archive}, options);
    const emit::PositionChoice choice{.memory_bytes = std::size_t{64} << 20,
                                      .directory = directory.path()};
    std::atomic<std::uint64_t> occurrences{0};
    std::atomic<std::uint64_t> once{0};
    const auto append = [&](const chess::AnyPosition&, const emit::PositionTally& tally,
                            std::string&) {
        occurrences += tally.occurrences;
        once += tally.occurrences == 1 ? 1 : 0;
    };
    test::TextSink sink;
    const std::uint64_t distinct =
        emit::export_positions(test::job_of(imported), choice, append, sink);
    return {distinct, occurrences, once};
}

}  // namespace

TEST_CASE("Positions are counted as by a set of all positions", "[full]") {
    const TemporaryDirectory directory;
    const Imported imported(
        {directory.write(
             "a.pgn", test::random_archive(41, test::at_size(150U, test::fewer(900U, 6))).text()),
         std::string(FENDEX_SAMPLES) + "/repetitions.pgn"});
    const emit::ExportJob all = test::job_of(imported, 3);
    emit::PositionChoice choice{.directory = directory.path()};
    check(all, choice);
    choice.min_games = 2;
    check(all, choice);
    choice.min_games = 1;
    for (const std::uint32_t max_ply : {0U, 1U, 12U}) {
        choice.max_ply = max_ply;
        check(all, choice);
    }
    // With little memory, both sorts spill.
    const emit::PositionChoice spilling{.memory_bytes = 64 * 1024, .directory = directory.path()};
    check(all, spilling);
    // A selection out of order, with one game twice, which is counted twice.
    std::vector<store::GameId> ids;
    for (store::GameId id = all.games.size(); id > 0; id -= 3) ids.push_back(id);
    ids.push_back(ids.front());
    check({store::file_store(imported.path()), emit::GameList(ids), 2}, spilling);
    check({store::file_store(imported.path()), emit::GameList(std::vector<store::GameId>{}), 2},
          spilling);
}

TEST_CASE("Counts too large to be stored with their position are kept, too") {
    const TemporaryDirectory directory;
    std::string text;
    for (int i = 0; i < 4'500; ++i) {
        text += "[Event \"x\"]\n\n1. e4 Nf6 2. e5 Ng8" + std::string(i % 30 == 0 ? "" : " 3. e6") +
                " 1-0\n\n[Event \"x\"]\n\n1. d4 0-1\n\n";
    }
    const Imported imported({directory.write("a.pgn", text)}, test::ply_rows({}));
    check(test::job_of(imported), {.directory = directory.path()});
}

TEST_CASE("Results count distinct games, and unknown results are in no column") {
    const TemporaryDirectory directory;
    const Imported imported({directory.write(
        "a.pgn",
        "[Event \"a\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 1-0\n\n[Event \"b\"]\n\n1. e4 0-1\n\n"
        "[Event \"c\"]\n\n1. e4 1/2-1/2\n\n[Event \"d\"]\n\n1. e4 *\n\n")});
    const emit::PositionChoice choice{.directory = directory.path()};
    std::map<std::string, std::vector<std::uint64_t>> tallies;
    const auto append = [&](const chess::AnyPosition& position, const emit::PositionTally& tally,
                            std::string&) {
        tallies[chess::to_epd(position)] = {tally.games, tally.occurrences, tally.white,
                                            tally.draws, tally.black};
    };
    test::TextSink sink;
    CHECK(emit::export_positions(test::job_of(imported, 1), choice, append, sink) == 5);
    using Tally = std::vector<std::uint64_t>;
    CHECK(tallies["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"] == Tally{4, 5, 1, 1, 1});
    CHECK(tallies["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"] ==
          Tally{3, 3, 0, 1, 1});
}

TEST_CASE("An archive has as many positions as an independent program counted") {
    // Counted from the FENs that pgn-extract writes after every move.
    const PositionCounts counts = positions_of(test::corpus_cut() + "/human.pgn.zst");
    CHECK(counts.distinct == 27'561);
    CHECK(counts.occurrences == 30'717);
    CHECK(counts.once == 26'602);
}

TEST_CASE("The archive of record has as many positions as an independent program counted",
          "[.corpus]") {
    if (test::skip_when_sanitized()) return;
    const PositionCounts counts = positions_of(test::whole_corpus() + "/human.pgn.zst");
    CHECK(counts.distinct == 9'320'442);
    CHECK(counts.occurrences == 12'703'191);
    // README of the corpus: 67 % of all (game, ply) pairs have a position that occurs once.
    CHECK((counts.once * 200 + counts.occurrences) / (2 * counts.occurrences) == 67);
}
