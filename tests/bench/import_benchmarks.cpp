// Whole imports, each into a new database. Figures that are compared come from alternating runs, so
// that other load on the machine affects both.
#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <stdexcept>

#include "baseline.hpp"
#include "bench.hpp"
#include "import_runs.hpp"
#include "store/sqlite/file_store.hpp"

namespace fendex::bench {

namespace {

namespace fs = std::filesystem;
using ingest::PlyRowChoice;

double per_second(std::uint64_t plies, double seconds) {
    return static_cast<double>(plies) / seconds / 1e6;
}

double ratio(std::uint64_t a, std::uint64_t b) {
    return static_cast<double>(a) / static_cast<double>(b);
}

void report_size(const Bench& bench, const std::string& suffix, const Archive& archive,
                 const std::string& database, bool targets) {
    const std::uint64_t bytes = fs::file_size(database);
    const auto target = [&](double value) {
        return targets ? std::optional(at_most(value)) : std::nullopt;
    };
    bench.report.add({"size" + suffix, archive.name, exactly(ratio(bytes, archive.census.plies)),
                      "bytes/ply", target(6.5)});
    bench.report.add({"size" + suffix + "-share", archive.name,
                      exactly(ratio(bytes, archive.bytes)), "of the PGN", target(0.8)});
}

}  // namespace

void remove_database(const std::string& path) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) fs::remove(path + suffix);
}

ingest::ImportOptions import_options(const Bench& bench, PlyRowChoice ply_rows) {
    ingest::ImportOptions options;
    options.threads = bench.options.threads;
    options.memory_bytes = bench.options.memory_bytes;
    options.ply_rows = ply_rows;
    return options;
}

double import_archive(const Bench& bench, const Archive& archive, PlyRowChoice ply_rows,
                      const std::string& database) {
    remove_database(database);
    const ingest::ImportOptions options = import_options(bench, ply_rows);
    const Stopwatch watch;
    const ingest::ImportSummary summary = ingest::import_files(database, {archive.path}, options);
    const double seconds = watch.seconds();
    if (summary.games != archive.census.games || summary.plies != archive.census.plies) {
        throw std::runtime_error(fmt::format("{}: {} games and {} plies imported, not {} and {}",
                                             archive.name, summary.games, summary.plies,
                                             archive.census.games, archive.census.plies));
    }
    return seconds;
}

ProgramRun import_process(const Bench& bench, const Archive& archive, const std::string& memory,
                          const std::string& database) {
    remove_database(database);
    const ProgramRun run = bench.launcher.run(
        {bench.options.fendex, "import", database, archive.path, "--ply-rows", "no", "--threads",
         std::to_string(bench.options.threads), "--memory", memory},
        "/dev/null", bench.directory.file("stderr.txt"));
    if (run.exit_status != 0) {
        throw std::runtime_error(fmt::format("{} import: exit status {}: {}", bench.options.fendex,
                                             run.exit_status,
                                             read_text(bench.directory.file("stderr.txt"))));
    }
    const store::StoreInfo info = store::file_store(database)->reader()->info();
    if (info.games != archive.census.games || info.plies != archive.census.plies) {
        throw std::runtime_error(archive.name + ": the program imported other games");
    }
    return run;
}

const std::string& human_database(Bench& bench) {
    if (!bench.database) {
        const std::string path = bench.directory.file("human.db");
        import_archive(bench, bench.inputs.human(), PlyRowChoice::kNo, path);
        bench.database = path;
    }
    return *bench.database;
}

void bench_import(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const std::string path = bench.directory.file("import.db");
    const std::string memory = std::to_string(bench.options.memory_bytes);
    const auto in_process = [&] {
        return per_second(human.census.plies,
                          import_archive(bench, human, PlyRowChoice::kNo, path));
    };
    const auto whole_process = [&] {
        return per_second(human.census.plies, import_process(bench, human, memory, path).seconds);
    };
    const Pairs pairs(bench.options.runs, in_process, whole_process);
    bench.report.add({"import", human.name, summarize(pairs.first), "M plies/s", at_least(7)});
    bench.report.add(
        {"import-process", human.name, summarize(pairs.second), "M plies/s", at_least(7)});
    report_size(bench, "", human, path, true);
    remove_database(path);
}

void bench_ply_rows(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const std::string path = bench.directory.file("rows.db");
    std::vector<double> figures;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        figures.push_back(
            per_second(human.census.plies, import_archive(bench, human, PlyRowChoice::kYes, path)));
    }
    bench.report.add({"import-ply-rows", human.name, summarize(figures), "M plies/s", at_least(1)});
    report_size(bench, "-ply-rows", human, path, false);
    remove_database(path);
}

void bench_zstd(Bench& bench) {
    const Archive& plain = bench.inputs.human();
    const Archive& packed = bench.inputs.human_zst();
    const std::string path = bench.directory.file("import.db");
    const Pairs pairs(
        bench.options.runs, [&] { return import_archive(bench, plain, PlyRowChoice::kNo, path); },
        [&] { return import_archive(bench, packed, PlyRowChoice::kNo, path); });
    bench.report.add({"import-zst", packed.name, summarize(pairs.second), "s", std::nullopt});
    bench.report.add(
        {"import-zst-ratio", packed.name, summarize(pairs.ratios), "x plain", at_most(1.15)});
    remove_database(path);
}

void bench_cores(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const auto database = [&](const std::string& cores) {
        return bench.directory.file("cores" + cores + ".db");
    };
    const auto import_on = [&](const std::string& cores, unsigned threads) {
        remove_database(database(cores));
        return fmt::format("taskset -c {} '{}' import '{}' '{}' --ply-rows no --threads {}", cores,
                           bench.options.fendex, database(cores), human.path, threads);
    };
    const auto seconds = [&](const std::string& commands) {
        const std::string errors = bench.directory.file("stderr.txt");
        const ProgramRun run = bench.launcher.run({"/bin/sh", "-c", commands}, "/dev/null", errors);
        if (run.exit_status != 0) throw std::runtime_error(read_text(errors));
        return run.seconds;
    };
    std::vector<double> two_threads;
    std::vector<double> two_imports;
    for (std::size_t i = 0; i < bench.options.runs; ++i) {
        const double one = seconds(import_on("0", 1));
        const std::string both = import_on("0", 1) + " & " + import_on("1", 1) + " && wait $!";
        two_imports.push_back(2 * one / seconds(both));
        two_threads.push_back(one / seconds(import_on("0,1", 2)));
    }
    bench.report.add(
        {"cores-threads", human.name, summarize(two_threads), "x one core", at_least(1.8)});
    bench.report.add(
        {"cores-imports", human.name, summarize(two_imports), "x one core", std::nullopt});
    for (const char* const cores : {"0", "1", "0,1"}) remove_database(database(cores));
}

void bench_tenfold(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const Archive& tenfold = bench.inputs.tenfold();
    const std::string path = bench.directory.file("import.db");
    const std::string tenfold_path = bench.directory.file("tenfold.db");
    const auto figure = [&](const Archive& archive, const std::string& database) {
        return per_second(archive.census.plies,
                          import_archive(bench, archive, PlyRowChoice::kNo, database));
    };
    const Pairs pairs(
        bench.options.runs, [&] { return figure(human, path); },
        [&] { return figure(tenfold, tenfold_path); });
    bench.report.add({"tenfold", tenfold.name, summarize(pairs.second), "M plies/s", std::nullopt});
    bench.report.add(
        {"tenfold-ratio", tenfold.name, summarize(pairs.ratios), "x human", at_least(0.9)});
    report_size(bench, "-tenfold", tenfold, tenfold_path, false);
    remove_database(path);
    remove_database(tenfold_path);
}

void bench_baseline(Bench& bench) {
    const Archive& human = bench.inputs.human();
    const std::string path = bench.directory.file("import.db");
    const std::string baseline_path = bench.directory.file("baseline.db");
    const auto compare = [&](IndexMade index, const std::string& name,
                             std::optional<Target> target) {
        BaselineResult baseline;
        const Pairs pairs(
            bench.options.runs,
            [&] {
                remove_database(baseline_path);
                baseline =
                    run_baseline(human.path, bench.options.baseline_games, baseline_path, index);
                return per_second(baseline.plies, baseline.seconds);
            },
            [&] {
                return per_second(human.census.plies,
                                  import_archive(bench, human, PlyRowChoice::kNo, path));
            });
        bench.report.add({name, human.name, summarize(pairs.first), "M plies/s", std::nullopt});
        bench.report.add({name + "-size", human.name,
                          exactly(ratio(baseline.bytes, baseline.plies)), "bytes/ply",
                          std::nullopt});
        bench.report.add({"import-over-" + name, human.name, summarize(pairs.ratios), "x", target});
    };
    compare(IndexMade::kFirst, "baseline", at_least(20));
    compare(IndexMade::kLast, "baseline-last", std::nullopt);
    remove_database(path);
    remove_database(baseline_path);
}

void bench_memory(Bench& bench) {
    const Archive& tenfold = bench.inputs.tenfold();
    const std::string path = bench.directory.file("tenfold.db");
    for (const unsigned mib : {64U, 256U, 1024U}) {
        const std::string memory = std::to_string(mib) + "M";
        const ProgramRun run = import_process(bench, tenfold, memory, path);
        bench.report.add({"memory-" + memory, tenfold.name,
                          exactly(static_cast<double>(run.peak_bytes) / 1e6), "MB",
                          at_most(most_megabytes(mib))});
        bench.report.add({"tenfold-" + memory, tenfold.name,
                          exactly(per_second(tenfold.census.plies, run.seconds)), "M plies/s",
                          std::nullopt});
    }
    remove_database(path);
}

}  // namespace fendex::bench
