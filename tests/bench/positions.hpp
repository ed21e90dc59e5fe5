// Positions to ask for, picked at random from the archive of record, and what a run of questions to
// them took.
#pragma once

#include <string>
#include <vector>

#include "bench.hpp"
#include "chess/position.hpp"
#include "store/records.hpp"

namespace fendex::bench {

struct SampledPosition {
    chess::Position position;
    store::GameId game = 0;
};

/// Picked from all that stand after ply `after` of a game of an archive, all samples being equally
/// likely, in random order.
std::vector<SampledPosition> sample_positions(const Bench& bench, const Archive& archive,
                                              std::size_t wanted, std::uint32_t after);

/// In microseconds.
struct PercentileTargets {
    double p50 = 0;  // 0: none
    double p99 = 0;
};

/// p50 and p99 of each run's questions.
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
