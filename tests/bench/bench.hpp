// The benchmarks. Each function measures one thing of the list in README.md and reports its rows.
// Results that do not depend on the machine (games and plies of an archive, games of a position)
// are checked on the way, because figures of wrong results are worthless.
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
    std::size_t positions = 1000;  // looked up in each run
    std::uint64_t seed = 1;
    std::string database;       // for `find` and `filters`; empty: the archive of record
    std::string fendex;         // path of the program
    std::string generate;       // path of the program that makes up archives
    std::string chess_library;  // directory of chess.hpp; empty to compare with nothing
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
void bench_cores(Bench& bench);
void bench_chess_library(Bench& bench);
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
void bench_filters(Bench& bench);
void bench_repeats(Bench& bench);
void bench_pattern(Bench& bench);
void bench_export(Bench& bench);
void bench_sql(Bench& bench);
void bench_appends(Bench& bench);
void bench_serve(Bench& bench);
void bench_evaluations(Bench& bench);

/// Checks that the database of the archive of record agrees with a folder's human-facts.jsonl.
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
