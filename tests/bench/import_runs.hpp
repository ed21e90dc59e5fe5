// Shared by the benchmarks of imports: imports into new databases, and alternating runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench.hpp"

namespace fendex::bench {

void remove_database(const std::string& path);
ingest::ImportOptions import_options(const Bench& bench, ingest::PlyRowChoice ply_rows);
/// Imports in this process into a new database; returns the seconds.
double import_archive(const Bench& bench, const Archive& archive, ingest::PlyRowChoice ply_rows,
                      const std::string& database);
/// Imports with the program into a new database.
ProgramRun import_process(const Bench& bench, const Archive& archive, const std::string& memory,
                          const std::string& database);

/// Returns the megabytes that an import may take with this --memory, in MiB.
constexpr double most_megabytes(unsigned mib) { return (mib + 128) * 1.048576; }

/// Runs two functions alternately. Each ratio is that of one pair of runs.
struct Pairs {
    std::vector<double> first;
    std::vector<double> second;
    std::vector<double> ratios;  // second / first

    Pairs(std::size_t runs, const std::function<double()>& run_first,
          const std::function<double()>& run_second) {
        for (std::size_t i = 0; i < runs; ++i) {
            first.push_back(run_first());
            second.push_back(run_second());
            ratios.push_back(second.back() / first.back());
        }
    }
};

}  // namespace fendex::bench
