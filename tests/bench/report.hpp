// The report of the benchmarks: a row for each figure, printed at once, as an aligned table or as
// JSON lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fendex::bench {

/// The median of some runs, and their range.
struct Sample {
    double median = 0;
    double lowest = 0;
    double highest = 0;
    std::size_t runs = 1;
};
Sample summarize(std::vector<double> figures);
inline Sample exactly(double figure) { return {figure, figure, figure, 1}; }

/// Returns the value below which `share` of the figures lie.
double percentile(std::vector<double> figures, double share);

struct Target {
    double value = 0;
    bool at_least = true;
};
inline Target at_least(double value) { return {value, true}; }
inline Target at_most(double value) { return {value, false}; }

struct Row {
    std::string name;
    std::string input;
    Sample figure;
    std::string unit;
    std::optional<Target> target;
};

class Report {
  public:
    /// Without `targets`, figures are not compared with targets (a smoke run measures nothing).
    Report(bool json, bool targets) : json_(json), targets_(targets) {}

    void add(const Row& row);
    /// Reports a wrong result. The program's exit status will show it.
    void fail(const std::string& name, const std::string& reason);
    std::size_t failures() const { return failures_; }

  private:
    void print_table_row(const Row& row);
    void print_json_row(const Row& row);

    bool json_;
    bool targets_;
    bool header_printed_ = false;
    std::size_t failures_ = 0;
};

}  // namespace fendex::bench
