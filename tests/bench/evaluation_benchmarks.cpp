// Records of positions: how fast lines of the shape of Lichess's evaluations are imported, what a
// record costs, and how long a look-up takes.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <stdexcept>

#include "bench.hpp"
#include "evaluation_lines.hpp"
#include "positions.hpp"
#include "query/opening_tree.hpp"
#include "query/position_search.hpp"
#include "store/local_reader.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::bench {

namespace {

constexpr std::uint64_t kLines = 10'000'000;
constexpr std::uint64_t kSmokeLines = 20'000;
constexpr unsigned kMemoryMiB = 256;

/// Some of the positions that have a record.
std::vector<chess::AnyPosition> some_positions(store::PositionRecords& records,
                                               std::size_t wanted) {
    std::vector<chess::AnyPosition> positions;
    const std::uint64_t every = std::max<std::uint64_t>(1, records.count() / wanted);
    std::uint64_t number = 0;
    records.for_each([&](const chess::AnyPosition& position, const codec::PositionRecord&) {
        if (number++ % every == 0) positions.push_back(position);
        return true;
    });
    return positions;
}

void measure_look_ups(Bench& bench, const std::string& input, const std::string& database) {
    const store::Reader reader = store::file_store(database)->reader();
    store::PositionRecords& records = *reader->local()->records();
    std::vector<chess::AnyPosition> positions = some_positions(records, bench.options.positions);
    std::mt19937_64 random(bench.options.seed);
    Percentiles percentiles;
    codec::PositionRecord record;
    for (std::size_t run = 0; run < bench.options.runs; ++run) {
        std::shuffle(positions.begin(), positions.end(), random);
        std::vector<double> microseconds;
        for (const chess::AnyPosition& position : positions) {
            const Stopwatch watch;
            if (!records.find(position, record)) {
                throw std::runtime_error("a record is not found");
            }
            microseconds.push_back(watch.seconds() * 1e6);
        }
        percentiles.add_run(microseconds);
    }
    percentiles.report(bench.report, "evaluation", input, {.p50 = 5, .p99 = 0});
}

/// What the verdicts on the positions after its moves add to a tree. The positions are those of
/// games, so most of them have a record.
void measure_trees(Bench& bench, const std::string& input, const std::string& database) {
    const store::Reader games = store::file_store(human_database(bench))->reader();
    const store::Reader records = store::file_store(database)->reader();
    store::StoreReader* const of_records = records.get();
    query::GameMatcher matcher(*games, {});
    query::PositionSearch search(*games, matcher);
    std::vector<double> figures;
    for (std::size_t run = 0; run < bench.options.runs; ++run) {
        double seconds = 0;
        std::size_t moves = 0;
        for (const SampledPosition& each :
             sample_positions(bench, bench.inputs.human(), bench.options.positions, 0)) {
            query::Tree tree = query::opening_tree(*games, search, each.position, {});
            const Stopwatch watch;
            query::add_verdicts({&of_records, 1}, {}, tree);
            seconds += watch.seconds();
            moves += tree.moves.size();
        }
        figures.push_back(seconds * 1e6 / static_cast<double>(std::max<std::size_t>(moves, 1)));
    }
    bench.report.add({"evaluation-tree", input, summarize(figures), "us/move", at_most(2)});
}

}  // namespace

void bench_evaluations(Bench& bench) {
    const std::string lines = bench.directory.file("evals.jsonl");
    const std::string database = bench.directory.file("evals.db");
    std::uint64_t count = 0;
    {
        const store::Reader reader = store::file_store(human_database(bench))->reader();
        const bool is_small = reader->info().games < 10'000;
        count = write_evaluation_lines(*reader, is_small ? kSmokeLines : kLines, bench.options.seed,
                                       lines);
    }
    const std::string input = fmt::format("{} lines", count);
    std::vector<double> per_second;
    ProgramRun run;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        std::filesystem::remove(database);
        const std::string errors = bench.directory.file("stderr.txt");
        run =
            bench.launcher.run({bench.options.fendex, "import", database, lines, "--ply-rows", "no",
                                "--threads", "1", "--memory", std::to_string(kMemoryMiB) + "M"},
                               "/dev/null", errors);
        if (run.exit_status != 0) throw std::runtime_error("fendex import: " + read_text(errors));
        per_second.push_back(static_cast<double>(count) / run.processor_seconds / 1e6);
    }
    bench.report.add({"evaluation-import", input, summarize(per_second),
                      "M lines/s of processor time", at_least(0.5)});
    bench.report.add({"evaluation-memory", input,
                      exactly(static_cast<double>(run.peak_bytes) / 1e6), "MB",
                      at_most((kMemoryMiB + 128) * 1.048576)});
    const store::StoreInfo info = store::file_store(database)->reader()->info();
    bench.report.add({"evaluation-size", input,
                      exactly(static_cast<double>(info.bytes - info.free_bytes) /
                              static_cast<double>(info.records)),
                      "bytes/record", at_most(48)});
    measure_look_ups(bench, input, database);
    measure_trees(bench, input, database);
    std::filesystem::remove(lines);
    std::filesystem::remove(database);
}

}  // namespace fendex::bench
