// Queries beyond finding a position: trees, repetitions, patterns, exports, SQL. All run on the
// database of the archive of record.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "ask/filter_fields.hpp"
#include "bench.hpp"
#include "chess/fen.hpp"
#include "positions.hpp"
#include "query/opening_tree.hpp"
#include "query/position_search.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::bench {

namespace {

/// A reader, a search and a kind of tree.
class TreeBench {
  public:
    TreeBench(Bench& bench, query::GameFilter filter, bool transpositions)
        : reader_(store::file_store(human_database(bench))->reader()),
          matcher_(*reader_, std::move(filter)),
          search_(*reader_, matcher_) {
        options_.transpositions = transpositions;
    }

    double microseconds(const chess::Position& position) {
        const Stopwatch watch;
        const query::Tree tree = query::opening_tree(*reader_, search_, position, options_);
        const double taken = watch.seconds() * 1e6;
        if (tree.total.games == 0) throw std::runtime_error("a position without games");
        return taken;
    }

  private:
    store::Reader reader_;
    query::GameMatcher matcher_;
    query::PositionSearch search_;
    query::TreeOptions options_;
};

/// The tree of the start position, with warm caches.
void bench_start_tree(Bench& bench, const std::string& name, const query::GameFilter& filter,
                      bool transpositions, double target_ms) {
    TreeBench tree(bench, filter, transpositions);
    std::vector<double> figures;
    tree.microseconds(chess::Position());
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        figures.push_back(tree.microseconds(chess::Position()) / 1e3);
    }
    bench.report.add(
        {name, bench.inputs.human().name, summarize(figures), "ms", at_most(target_ms)});
}

void bench_random_trees(Bench& bench, const std::string& name, bool transpositions,
                        PercentileTargets targets) {
    const std::size_t each = bench.options.positions;
    const std::vector<SampledPosition> sample =
        sample_positions(bench, bench.inputs.human(), (bench.options.runs + 1) * each, 0);
    TreeBench tree(bench, {}, transpositions);
    Percentiles percentiles;
    // Every run looks up other positions; the first run warms up the caches.
    for (std::size_t run = 0; run <= bench.options.runs; ++run) {
        std::vector<double> times;
        for (std::size_t i = run * each; i < (run + 1) * each; ++i) {
            times.push_back(tree.microseconds(sample[i].position));
        }
        if (run != 0) percentiles.add_run(times);
    }
    percentiles.report(bench.report, name, bench.inputs.human().name, targets);
}

/// Returns the seconds of `fendex VERB DATABASE WORDS...` for each run, after a run to warm up.
/// Results go to a file. Status 1 (nothing found) is allowed, because made-up games need not have
/// everything.
std::vector<double> time_process(Bench& bench, const std::string& verb,
                                 const std::vector<std::string>& words) {
    std::vector<std::string> command{bench.options.fendex, verb, human_database(bench)};
    command.insert(command.end(), words.begin(), words.end());
    const std::string errors = bench.directory.file("stderr.txt");
    std::vector<double> seconds;
    for (std::size_t i = 0; i <= bench.options.runs; ++i) {
        const ProgramRun run =
            bench.launcher.run(command, bench.directory.file("answer.txt"), errors);
        if (run.exit_status > 1) {
            throw std::runtime_error(fmt::format("fendex {}: exit status {}: {}", verb,
                                                 run.exit_status, read_text(errors)));
        }
        if (i != 0) seconds.push_back(run.seconds);
    }
    return seconds;
}

std::vector<double> each(std::vector<double> figures, const std::function<double(double)>& change) {
    std::transform(figures.begin(), figures.end(), figures.begin(), change);
    return figures;
}

double milliseconds(double seconds) { return seconds * 1e3; }

void report_process(Bench& bench, const std::string& name, double target_ms,
                    const std::string& verb, const std::vector<std::string>& words) {
    bench.report.add({name, bench.inputs.human().name,
                      summarize(each(time_process(bench, verb, words), milliseconds)), "ms",
                      at_most(target_ms)});
}

/// Follows the most played moves from the start to the first position that at most so many games
/// reach.
chess::Position played_by_at_most(Bench& bench, std::uint64_t games) {
    const auto reader = store::file_store(human_database(bench))->reader();
    query::GameMatcher all(*reader);
    query::PositionSearch search(*reader, all);
    chess::Position position;
    while (true) {
        const query::Tree tree =
            query::opening_tree(*reader, search, position, {.transpositions = false});
        if (tree.total.games <= games || tree.moves.empty()) return position;
        position.play(tree.moves.front().move);
    }
}

}  // namespace

void bench_tree(Bench& bench) {
    bench_start_tree(bench, "tree-start", {}, false, 1);
    bench_start_tree(bench, "tree-start-reached", {}, true, 10);
    query::GameFilter strong;
    ask::set_field(strong, "min-elo", "2500");
    ask::set_field(strong, "since", "2000");
    bench_start_tree(bench, "tree-start-filtered", strong, false, 50);
    bench_random_trees(bench, "tree", false, {0, 1000});
    bench_random_trees(bench, "tree-reached", true, {0, 5000});
}

void bench_repeats(Bench& bench) {
    report_process(bench, "repeats", 200, "repeats", {"--format", "json"});
    report_process(bench, "repeats-claims", 1000, "repeats", {"--claims", "--format", "json"});
    report_process(bench, "repeats-fifty", 500, "repeats",
                   {"--rule50", "--claims", "--format", "json"});
    report_process(bench, "repeats-summary", 100, "repeats", {"--summary", "--format", "json"});
}

void bench_pattern(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const auto report = [&](const std::string& name, const std::vector<std::string>& words) {
        const auto rate = [&](double s) {
            return static_cast<double>(human.census.plies) / s / 1e6;
        };
        bench.report.add({name, human.name,
                          summarize(each(time_process(bench, "find", words), rate)), "M plies/s",
                          at_least(40)});
    };
    report("material-scan", {"--material", "KRPvKR", "--count"});
    // Rank by rank, because "??/" in one literal is a trigraph.
    std::string knight_and_pawns;
    for (const char* const rank : {"????????", "????????", "????????", "???N????", "??P?P???",
                                   "????????", "????????", "????????"}) {
        knight_and_pawns += (knight_and_pawns.empty() ? "" : "/") + std::string(rank);
    }
    report("pattern-scan", {"--pattern", knight_and_pawns, "--count"});
}

void bench_export(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const std::string& output = bench.directory.file("export.pgn");
    const std::vector<double> seconds = time_process(bench, "export", {"-o", output});
    const auto bytes = static_cast<double>(std::filesystem::file_size(output));
    bench.report.add({"export-pgn", human.name,
                      summarize(each(seconds, [&](double s) { return bytes / s / 1e6; })), "MB/s",
                      at_least(150)});
    std::filesystem::remove(output);
    // Not into a file, which would be thirty times as large as the database.
    const auto rows = static_cast<double>(human.census.plies + human.census.games);
    bench.report.add(
        {"export-plies", human.name,
         summarize(each(time_process(bench, "export",
                                     {"--rows", "plies", "--format", "csv", "-o", "/dev/null"}),
                        [&](double s) { return rows / s / 1e6; })),
         "M rows/s", at_least(2)});
}

void bench_sql(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const auto rows = static_cast<double>(human.census.plies + human.census.games);
    bench.report.add({"sql-count-ply", human.name,
                      summarize(each(time_process(bench, "sql", {"SELECT count(*) FROM ply"}),
                                     [&](double s) { return rows / s / 1e6; })),
                      "M rows/s", at_least(5)});
    const std::string fen = chess::to_fen(played_by_at_most(bench, 15'000));
    report_process(bench, "sql-reached", 100, "sql",
                   {"SELECT r.game_id, r.ply, w.name, b.name FROM reached('" + fen +
                        "') r JOIN game g ON g.id = r.game_id JOIN player w ON w.id = g.white"
                        " JOIN player b ON b.id = g.black",
                    "--format", "json"});
}

}  // namespace fendex::bench
