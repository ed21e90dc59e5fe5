// Counts what the server does, and writes it in the text format of Prometheus. Any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace fendex::serve {

/// The current values.
struct Gauges {
    std::size_t connections = 0;
    std::size_t sums = 0;   // requests in that pool
    std::size_t scans = 0;  // requests in that pool
};

class Metrics {
  public:
    /// Counts a request that has been answered. There must be few different values of `route`.
    void count(std::string_view route, unsigned status, std::size_t bytes,
               std::chrono::nanoseconds took);
    [[nodiscard]] std::string text(const Gauges& gauges) const;

  private:
    /// Upper bounds in seconds.
    static constexpr std::array kBounds = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                           0.01,   0.025,   0.05,   0.1,   0.25,   0.5,
                                           1.0,    2.5,     5.0,    10.0,  30.0};
    struct Latency {
        std::array<std::uint64_t, kBounds.size() + 1> counts{};
        double seconds = 0;
    };
    struct Route {
        std::map<unsigned, std::uint64_t> statuses;
        Latency latency;
    };

    mutable std::mutex mutex_;
    std::map<std::string, Route, std::less<>> routes_;
    std::uint64_t bytes_ = 0;
};

}  // namespace fendex::serve
