// The benchmarks, each a function that measures one thing of the list in README.md and reports its
// rows. What must hold whatever the machine (the games and plies of an archive, the games of a
// position) is checked on the way: a figure for wrong answers is no figure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "ingest/importer.hpp"
#include "inputs.hpp"
#include "launcher.hpp"
#include "report.hpp"

namespace fendex::bench {

struct BenchOptions {
    std::size_t runs = 5;
    unsigned threads = 2;
    std::size_t memory_bytes = std::size_t{1} << 30;
    std::uint64_t baseline_games = 10'000;
    std::size_t positions = 1000;  // looked up in a run
    std::uint64_t seed = 1;
    std::string fendex;    // the program
    std::string generate;  // the one that makes up archives
};

struct Bench {
    const BenchOptions& options;
    const TemporaryDirectory& directory;
    Inputs& inputs;
    Launcher& launcher;
    Report& report;
    /// The archive of record, imported without ply rows; made by human_database().
    std::optional<std::string> database;
};

const std::string& human_database(Bench& bench);

void bench_replay(Bench& bench);
void bench_comments(Bench& bench);
void bench_fen(Bench& bench);
void bench_generate(Bench& bench);
void bench_import(Bench& bench);
void bench_ply_rows(Bench& bench);
void bench_zstd(Bench& bench);
void bench_tenfold(Bench& bench);
void bench_baseline(Bench& bench);
void bench_memory(Bench& bench);
void bench_stream(Bench& bench);
void bench_durable(Bench& bench);
void bench_resume(Bench& bench);
void bench_find(Bench& bench);
void bench_start(Bench& bench);
void bench_process(Bench& bench);
void bench_tree(Bench& bench);
void bench_repeats(Bench& bench);
void bench_pattern(Bench& bench);
void bench_export(Bench& bench);
void bench_sql(Bench& bench);
void bench_appends(Bench& bench);

/// Whether a folder's human-facts.jsonl says of the archive of record what the database says.
void check_facts(Bench& bench);

class Stopwatch {
  public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace fendex::bench
