#include "serve/http/log.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <ctime>

#include "base/printable.hpp"

namespace fendex::serve {

std::string log_line(const Logged& logged) {
    const auto since = logged.time.time_since_epoch();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
    const auto second = static_cast<std::time_t>(ms / 1000);
    std::tm parts{};
    ::gmtime_r(&second, &parts);
    char time[32];
    const std::size_t length = std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &parts);
    std::string route;
    for (const char c : logged.route) {
        c == ' ' ? route += "\\x20" : route += c;
    }
    return fmt::format("{}.{:03}Z {} {} {} {} {}\n", std::string_view(time, length), ms % 1000,
                       logged.client, base::printable(route), logged.status, logged.bytes,
                       logged.took.count());
}

void log(const Logged& logged) {
    const std::string line = log_line(logged);
    // An error is ignored: there is no other place to report it.
    static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
}

}  // namespace fendex::serve
