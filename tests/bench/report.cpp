#include "report.hpp"

#include <fmt/core.h>
#include <stdlib.h>  // getloadavg() is in no C++ header

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace fendex::bench {

namespace {

bool met(const Row& row) {
    return row.target->at_least ? row.figure.median >= row.target->value
                                : row.figure.median <= row.target->value;
}

/// About four significant digits.
std::string number(double value) {
    const double size = std::fabs(value);
    const int digits = size >= 1000 || value == 0 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    return fmt::format("{:.{}f}", value, digits);
}

/// Other processes slow down the benchmarks, so each figure is reported with the load average.
double load() {
    double average = 0;
    return ::getloadavg(&average, 1) == 1 ? average : -1;
}

}  // namespace

Sample summarize(std::vector<double> figures) {
    if (figures.empty()) return {};
    std::sort(figures.begin(), figures.end());
    const std::size_t n = figures.size();
    const double median = n % 2 == 1 ? figures[n / 2] : (figures[n / 2 - 1] + figures[n / 2]) / 2;
    return {median, figures.front(), figures.back(), n};
}

double percentile(std::vector<double> figures, double share) {
    if (figures.empty()) return 0;
    std::sort(figures.begin(), figures.end());
    const auto rank = static_cast<std::size_t>(share * static_cast<double>(figures.size()));
    return figures[std::min(rank, figures.size() - 1)];
}

void Report::add(const Row& row) {
    json_ ? print_json_row(row) : print_table_row(row);
    std::fflush(stdout);
}

void Report::fail(const std::string& name, const std::string& reason) {
    ++failures_;
    fmt::print(stderr, "fendex_bench: {}: {}\n", name, reason);
}

void Report::print_table_row(const Row& row) {
    constexpr const char* kLine = "{:<25} {:<16} {:>9}  {:<12} {:>9} {:>9} {:>5}  {:<9} {}\n";
    if (!header_printed_) {
        fmt::print(kLine, "name", "input", "figure", "unit", "lowest", "highest", "runs", "target",
                   "");
        header_printed_ = true;
    }
    std::string target;
    std::string verdict;
    if (targets_ && row.target) {
        target = (row.target->at_least ? ">= " : "<= ") + number(row.target->value);
        verdict = met(row) ? "met" : "MISSED";
    }
    fmt::print(kLine, row.name, row.input, number(row.figure.median), row.unit,
               number(row.figure.lowest), number(row.figure.highest), row.figure.runs, target,
               verdict);
}

void Report::print_json_row(const Row& row) {
    nlohmann::ordered_json json;
    json["name"] = row.name;
    json["input"] = row.input;
    json["figure"] = row.figure.median;
    json["unit"] = row.unit;
    json["lowest"] = row.figure.lowest;
    json["highest"] = row.figure.highest;
    json["runs"] = row.figure.runs;
    if (targets_ && row.target) {
        json[row.target->at_least ? "at_least" : "at_most"] = row.target->value;
        json["met"] = met(row);
    }
    json["load"] = load();
    fmt::print("{}\n", json.dump());
}

}  // namespace fendex::bench
