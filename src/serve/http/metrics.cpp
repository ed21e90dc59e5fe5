#include "serve/http/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fendex::serve {

namespace {

/// Returns the value of a label. Backslashes, quotes and line breaks are escaped.
std::string label(std::string_view value) {
    std::string escaped;
    for (const char c : value) {
        if (c == '\n') {
            escaped += "\\n";
            continue;
        }
        if (c == '\\' || c == '"') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

void begin_metric(std::string& out, std::string_view name, std::string_view type,
                  std::string_view help) {
    fmt::format_to(std::back_inserter(out), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

void add_gauge(std::string& out, std::string_view name, std::string_view help, std::size_t value) {
    begin_metric(out, name, "gauge", help);
    fmt::format_to(std::back_inserter(out), "{} {}\n", name, value);
}

}  // namespace

void Metrics::count(std::string_view route, unsigned status, std::size_t bytes,
                    std::chrono::nanoseconds took) {
    const double seconds = std::chrono::duration<double>(took).count();
    const auto bound = std::ranges::lower_bound(kBounds, seconds);
    const std::lock_guard lock(mutex_);
    auto found = routes_.find(route);
    if (found == routes_.end()) found = routes_.emplace(route, Route{}).first;
    Route& counted = found->second;
    ++counted.statuses[status];
    ++counted.latency.counts[static_cast<std::size_t>(bound - kBounds.begin())];
    counted.latency.seconds += seconds;
    bytes_ += bytes;
}

std::string Metrics::text(const Gauges& gauges) const {
    std::string out;
    add_gauge(out, "fendex_http_connections", "Open connections.", gauges.connections);
    add_gauge(out, "fendex_http_sums", "Requests in the pool of sums.", gauges.sums);
    add_gauge(out, "fendex_http_scans", "Requests in the pool of scans.", gauges.scans);
    const auto add = std::back_inserter(out);
    const std::lock_guard lock(mutex_);
    begin_metric(out, "fendex_http_sent_bytes_total", "counter", "Bytes of answers' bodies.");
    fmt::format_to(add, "fendex_http_sent_bytes_total {}\n", bytes_);
    begin_metric(out, "fendex_http_requests_total", "counter",
                 "Requests by route and status; 499: the client left.");
    for (const auto& [name, route] : routes_) {
        for (const auto& [status, requests] : route.statuses) {
            fmt::format_to(add, "fendex_http_requests_total{{route=\"{}\",status=\"{}\"}} {}\n",
                           label(name), status, requests);
        }
    }
    begin_metric(out, "fendex_http_request_seconds", "histogram",
                 "Time from a request's arrival until its answer is sent.");
    for (const auto& [name, route] : routes_) {
        const std::string text = label(name);
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < route.latency.counts.size(); ++i) {
            sum += route.latency.counts[i];
            const std::string bound = i < kBounds.size() ? fmt::format("{}", kBounds[i]) : "+Inf";
            fmt::format_to(add, "fendex_http_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n",
                           text, bound, sum);
        }
        fmt::format_to(add, "fendex_http_request_seconds_sum{{route=\"{}\"}} {}\n", text,
                       route.latency.seconds);
        fmt::format_to(add, "fendex_http_request_seconds_count{{route=\"{}\"}} {}\n", text, sum);
    }
    return out;
}

}  // namespace fendex::serve
