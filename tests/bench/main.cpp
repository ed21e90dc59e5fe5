// fendex_bench: measures the figures of README.md.
#include <fmt/core.h>
#include <stdlib.h>  // getloadavg() is in no C++ header
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <thread>

#include "bench.hpp"
#include "cli/options/arguments.hpp"
#include "store/sqlite/file/page_memory.hpp"

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;
using namespace fendex::bench;

struct Benchmark {
    std::string_view name;
    void (*run)(Bench& bench);
    std::string_view purpose;
};

constexpr Benchmark kBenchmarks[] = {
    {"replay", bench_replay, "tokens, SAN, legality, moves and keys, 1 thread"},
    {"comments", bench_comments, "the same on text that is mostly comments"},
    {"fen", bench_fen, "writing the FEN of every ply"},
    {"generate", bench_generate, "making up games"},
    {"import", bench_import, "whole imports, and the size of the database"},
    {"cores", bench_cores, "an import on two cores, and two imports at once, against one core"},
    {"chess-library", bench_chess_library,
     "processor time of replay and import against chess-library's replay"},
    {"ply-rows", bench_ply_rows, "imports with a row for every ply, and the size"},
    {"zstd", bench_zstd, "imports from .pgn.zst against .pgn"},
    {"baseline", bench_baseline, "one SQLite row per ply, against an import"},
    {"find", bench_find, "rare and absent positions, in process"},
    {"start", bench_start, "counting the start position, in process"},
    {"process", bench_process, "fendex find as a whole process"},
    {"tree", bench_tree, "opening trees, in process"},
    {"filters", bench_filters, "trees, lists and finds with filters, in process"},
    {"repeats", bench_repeats, "fendex repeats as a whole process"},
    {"pattern", bench_pattern, "fendex find --pattern and --material"},
    {"export", bench_export, "fendex export, everything as PGN and as rows of plies"},
    {"sql", bench_sql, "fendex sql, with the virtual tables"},
    {"serve", bench_serve, "fendex serve under load, beside a bare Beast server (needs wrk)"},
    {"evaluations", bench_evaluations,
     "imports of lines like Lichess's evaluations, bytes a record, and look-ups"},
    {"tenfold", bench_tenfold, "imports of an archive ten times as large"},
    {"memory", bench_memory, "peak memory of imports of that archive"},
    {"appends", bench_appends,
     "many small imports into a large database, and questions after them"},
    {"stream", bench_stream, "peak memory of the import of a stream of more than 4 GiB"},
    {"durable", bench_durable, "imports against the same without waiting for the disk"},
    {"resume", bench_resume, "imports killed at 90 % of an archive ten times as large, resumed"},
};

constexpr std::uint64_t kGames = 148'464;  // as in the archive of record
constexpr std::uint64_t kSmokeGames = 2000;

struct CommandLine {
    BenchOptions bench;
    InputOptions inputs;
    std::string tmp;
    std::vector<std::string> only;
    bool check = false;
    bool smoke = false;
    bool json = false;
    bool help = false;
    bool list = false;
};

CommandLine parse(int argc, char** argv, po::options_description& described) {
    CommandLine line;
    std::string memory;
    described.add_options()("help,h", po::bool_switch(&line.help), "this text")(
        "list", po::bool_switch(&line.list), "the names of the benchmarks")(
        "only", po::value(&line.only)->composing(), "run this benchmark only; may be repeated")(
        "runs", po::value(&line.bench.runs)->default_value(5),
        "number of runs; figures are their median")(
        "threads", po::value(&line.bench.threads)->default_value(2), "threads of imports")(
        "memory", po::value(&memory)->default_value("1G"), "memory of imports")(
        "baseline-games", po::value(&line.bench.baseline_games)->default_value(10'000),
        "how many games the baseline stores")("positions",
                                              po::value(&line.bench.positions)->default_value(1000),
                                              "how many positions a run looks up")(
        "seed", po::value(&line.bench.seed)->default_value(1), "seed of random choices")(
        "corpus", po::value(&line.inputs.corpus)->default_value(FENDEX_CORPUS),
        "folder with human.pgn and engine.pgn or their .zst; without them, games are made up")(
        "database", po::value(&line.bench.database),
        "ask `find` and `filters` about this database instead of the archive of record")(
        "fendex", po::value(&line.bench.fendex)->default_value(FENDEX_PROGRAM), "the program")(
        "chess-library", po::value(&line.bench.chess_library),
        "directory of chess-library's chess.hpp: compare with its replay")(
        "tmp", po::value(&line.tmp)->default_value(fs::temp_directory_path().string()),
        "directory for archives and databases; some 4 GB for all benchmarks")(
        "check", po::bool_switch(&line.check),
        "compare answers with the corpus' human-facts.jsonl")(
        "smoke", po::bool_switch(&line.smoke),
        "only test the benchmarks: run each once on a small archive")(
        "json", po::bool_switch(&line.json), "one JSON object per line");
    po::variables_map values;
    po::store(po::parse_command_line(argc, argv, described), values);
    po::notify(values);
    line.bench.memory_bytes = fendex::cli::parse_size(memory);
    line.bench.runs = std::max<std::size_t>(1, line.bench.runs);
    line.bench.generate = FENDEX_GENERATE;
    line.inputs.samples = FENDEX_SAMPLES;
    line.inputs.games = kGames;
    line.inputs.seed = line.bench.seed;
    if (line.smoke) {
        line.bench.runs = 1;
        line.bench.positions = std::min<std::size_t>(line.bench.positions, 200);
        line.inputs.corpus.clear();
        line.inputs.games = kSmokeGames;
    }
    return line;
}

bool selected(const CommandLine& line, std::string_view name) {
    // --check without --only runs no benchmark.
    if (line.only.empty()) return !line.check;
    return std::find(line.only.begin(), line.only.end(), name) != line.only.end();
}

void refuse_unknown(const CommandLine& line) {
    for (const std::string& name : line.only) {
        if (std::none_of(std::begin(kBenchmarks), std::end(kBenchmarks),
                         [&](const Benchmark& each) { return each.name == name; })) {
            throw std::runtime_error("there is no benchmark '" + name + "'; see --list");
        }
    }
}

void describe_machine(const CommandLine& line) {
    double load = 0;
    if (::getloadavg(&load, 1) != 1) load = -1;
    fmt::print(stderr, "{} cores, load {:.2f} before; {} runs, {} threads{}\n",
               std::thread::hardware_concurrency(), load, line.bench.runs, line.bench.threads,
               line.smoke ? "; a smoke run: the figures are meaningless" : "");
}

template <typename Run>
void attempt(std::string_view name, Report& report, Run run) {
    try {
        run();
    } catch (const std::exception& error) {
        report.fail(std::string(name), error.what());
    }
}

int run(int argc, char** argv, Launcher& launcher) {
    po::options_description described("Options");
    const CommandLine line = parse(argc, argv, described);
    if (line.help) {
        std::cout << "Measures fendex.\n\n" << described;
        return 0;
    }
    if (line.list) {
        for (const Benchmark& each : kBenchmarks)
            fmt::print("{:<12} {}\n", each.name, each.purpose);
        return 0;
    }
    refuse_unknown(line);
    describe_machine(line);

    const TemporaryDirectory directory(line.tmp);
    Inputs inputs(line.inputs, directory);
    Report report(line.json, !line.smoke);
    Bench bench{line.bench, directory, inputs, launcher, report, std::nullopt};
    for (const Benchmark& each : kBenchmarks) {
        if (!selected(line, each.name)) continue;
        attempt(each.name, report, [&] { each.run(bench); });
    }
    if (line.check) attempt("facts", report, [&] { check_facts(bench); });
    return report.failures() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    fendex::store::use_page_memory();  // as the program does
    try {
        Launcher launcher;
        return run(argc, argv, launcher);
    } catch (const std::exception& error) {
        fmt::print(stderr, "fendex_bench: {}\n", error.what());
        return 2;
    }
}
