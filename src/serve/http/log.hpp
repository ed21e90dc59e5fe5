// One line a request on standard error. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace fendex::serve {

/// A request that has been answered.
struct Logged {
    std::chrono::system_clock::time_point time{};
    std::string_view client;
    std::string_view route;  // the path of the request if no route fits it
    unsigned status = 0;
    std::size_t bytes = 0;  // of the body, as sent
    std::chrono::microseconds took{};
};

/// Returns the line, which always has six fields: "2026-11-23T06:19:00.123Z 127.0.0.1 /api/v1/tree
/// 200 1530 87". Control characters, and blanks in a path, are escaped.
[[nodiscard]] std::string log_line(const Logged& logged);
/// Writes the line in one call, so that lines of several threads do not mix.
void log(const Logged& logged);

}  // namespace fendex::serve
