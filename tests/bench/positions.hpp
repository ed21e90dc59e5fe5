// Random positions of an archive or a database to look up, and percentiles of the times of a run.
#pragma once

#include <string>
#include <vector>

#include "bench.hpp"
#include "chess/position.hpp"
#include "store/records.hpp"
#include "store/store_reader.hpp"

namespace fendex::bench {

struct SampledPosition {
    chess::Position position;
    store::GameId game = 0;
};

/// Returns random positions after ply `after` of the games of an archive, in random order. All
/// samples are equally likely.
std::vector<SampledPosition> sample_positions(const Bench& bench, const Archive& archive,
                                              std::size_t wanted, std::uint32_t after);

/// Returns positions after ply `after` of random games of a database, one of each. Games of
/// standard chess only.
std::vector<SampledPosition> sample_positions(const Bench& bench, store::StoreReader& reader,
                                              std::size_t wanted, std::uint32_t after);

/// In microseconds.
struct PercentileTargets {
    double p50 = 0;  // 0: no target
    double p99 = 0;
};

/// The p50 and p99 of each run's look-ups.
class Percentiles {
  public:
    void add_run(const std::vector<double>& microseconds);
    void report(Report& report, const std::string& name, const std::string& input,
                PercentileTargets targets) const;

  private:
    std::vector<double> p50_;
    std::vector<double> p99_;
};

}  // namespace fendex::bench
