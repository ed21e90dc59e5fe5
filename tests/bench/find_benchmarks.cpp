// Queries on the database of the archive of record: in process, which measures only the query, and
// as a whole process, which includes its start and opening the file. Look-ups in process may be in
// another database (--database).
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <stdexcept>

#include "bench.hpp"
#include "chess/fen.hpp"
#include "positions.hpp"
#include "query/position_search.hpp"
#include "random.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::bench {

namespace {

/// Few positions after this ply are reached by many games.
constexpr std::uint32_t kOpeningPlies = 20;
constexpr PercentileTargets kFindTargets{60, 1000};
constexpr std::size_t kMinProcessRuns = 11;

/// The position with a piece on another square; most likely no game has it.
chess::Position altered(const chess::Position& position, Random& random) {
    while (true) {
        chess::Setup setup;
        for (chess::Square s = 0; s < 64; ++s) setup.board[s] = position.piece_on(s);
        setup.side = position.side_to_move();
        setup.fullmove = position.fullmove_number();
        const auto from = static_cast<chess::Square>(random.below(64));
        const auto to = static_cast<chess::Square>(random.below(64));
        if (setup.board[from] == chess::Piece::kNone || setup.board[to] != chess::Piece::kNone) {
            continue;
        }
        std::swap(setup.board[from], setup.board[to]);
        const std::string fen = chess::to_fen(chess::Position(setup));
        if (const chess::FenResult result = chess::parse_fen(fen); result.position) {
            return *result.position;
        }
    }
}

struct Lookup {
    double microseconds = 0;
    std::uint64_t games = 0;
};

/// Finds all games of a position; `expected` must be among them.
Lookup look_up(query::PositionSearch& search, const chess::Position& position,
               std::optional<store::GameId> expected) {
    Lookup lookup;
    bool seen = false;
    const Stopwatch watch;
    search.find(query::Question::of(position), [&](const query::Hit& hit) {
        ++lookup.games;
        seen |= hit.game == expected;
        return true;
    });
    lookup.microseconds = watch.seconds() * 1e6;
    if (expected && !seen) {
        throw std::runtime_error(fmt::format("game {} is not found by its position {}", *expected,
                                             chess::to_fen(position)));
    }
    return lookup;
}

std::size_t process_runs(const Bench& bench) {
    return bench.options.runs == 1 ? 1 : std::max(bench.options.runs, kMinProcessRuns);
}

/// Runs `fendex find` with JSON output into a file; returns the run and the number of lines.
struct Answer {
    ProgramRun run;
    std::uint64_t lines = 0;
};
Answer find_process(Bench& bench, const std::string& fen) {
    const std::string output = bench.directory.file("answer.json");
    const std::string errors = bench.directory.file("stderr.txt");
    Answer answer;
    answer.run = bench.launcher.run(
        {bench.options.fendex, "find", human_database(bench), fen, "--format", "json"}, output,
        errors);
    if (answer.run.exit_status != 0) {
        throw std::runtime_error(fmt::format("fendex find {}: exit status {}: {}", fen,
                                             answer.run.exit_status, read_text(errors)));
    }
    const std::string text = read_text(output);
    answer.lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    return answer;
}

}  // namespace

void bench_find(Bench& bench) {
    const std::size_t each = bench.options.positions;
    const bool is_human = bench.options.database.empty();
    const std::size_t wanted = is_human ? (bench.options.runs + 1) * each : each;
    const store::Reader reader =
        store::file_store(is_human ? human_database(bench) : bench.options.database)->reader();
    const std::vector<SampledPosition> sample =
        is_human ? sample_positions(bench, bench.inputs.human(), wanted, kOpeningPlies)
                 : sample_positions(bench, *reader, wanted, kOpeningPlies);
    const std::string name =
        is_human ? bench.inputs.human().name
                 : std::filesystem::path(bench.options.database).filename().string();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    Percentiles present;
    Percentiles absent;
    std::uint64_t games = 0;
    // The first run warms up the caches. Every run looks up other positions, but in a database that
    // may be larger than the memory the same ones, or none would be warm.
    for (std::size_t run = 0; run <= bench.options.runs; ++run) {
        const std::span<const SampledPosition> positions =
            std::span(sample).subspan(is_human ? run * each : 0, each);
        std::vector<double> times;
        std::vector<double> absent_times;
        for (const auto& [position, game] : positions) {
            const Lookup lookup = look_up(search, position, game);
            times.push_back(lookup.microseconds);
            games += lookup.games;
        }
        Random random(bench.options.seed + (is_human ? run : 0));
        for (const auto& [position, game] : positions) {
            const chess::Position other = altered(position, random);
            const Lookup lookup = look_up(search, other, std::nullopt);
            if (lookup.games == 0) absent_times.push_back(lookup.microseconds);
        }
        if (absent_times.size() < each / 2)
            throw std::runtime_error("too few positions are absent");
        if (run == 0) continue;
        present.add_run(times);
        absent.add_run(absent_times);
    }
    present.report(bench.report, "find", name, kFindTargets);
    absent.report(bench.report, "find-absent", name, kFindTargets);
    bench.report.add(
        {"find-games", name,
         exactly(static_cast<double>(games) / static_cast<double>((bench.options.runs + 1) * each)),
         "per position", std::nullopt});
}

void bench_start(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const std::string& database = human_database(bench);
    std::vector<double> figures;
    for (std::size_t i = 0; i < process_runs(bench); ++i) {
        // A new reader, so that nothing is cached from the previous run.
        const store::Reader reader = store::file_store(database)->reader();
        query::GameMatcher all(*reader);
        query::PositionSearch search(*reader, all);
        const Stopwatch watch;
        const query::Count count = search.count(query::Question::of(chess::Position()), false);
        figures.push_back(watch.seconds() * 1e3);
        if (count.games != human.census.games) {
            throw std::runtime_error("the start position was not found in every game");
        }
    }
    bench.report.add({"count-start", human.name, summarize(figures), "ms", at_most(1)});
}

void bench_process(Bench& bench) {
    const Archive& human = bench.inputs.human();
    std::vector<double> start;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        const Answer answer = find_process(bench, chess::to_fen(chess::Position()));
        start.push_back(answer.run.seconds);
        if (answer.lines != human.census.games) {
            throw std::runtime_error("the output does not have a line for every game");
        }
    }
    std::vector<double> rare;
    for (const SampledPosition& each :
         sample_positions(bench, bench.inputs.human(), process_runs(bench), kOpeningPlies)) {
        const Answer answer = find_process(bench, chess::to_fen(each.position));
        rare.push_back(answer.run.seconds * 1e3);
    }
    bench.report.add({"process-start", human.name, summarize(start), "s", at_most(0.2)});
    bench.report.add({"process-rare", human.name, summarize(rare), "ms", at_most(15)});
}

}  // namespace fendex::bench
