#include "clickhouse/client/transport.hpp"

#include <strings.h>

#include <algorithm>
#include <charconv>

#include "base/stop_check.hpp"

namespace fendex::clickhouse {
namespace {

constexpr std::size_t kMostErrorText = 4096;

/// Ignores case.
bool starts_with(std::string_view text, std::string_view prefix) {
    return text.size() >= prefix.size() &&
           ::strncasecmp(text.data(), prefix.data(), prefix.size()) == 0;
}

}  // namespace

void Transport::Outcome::take_header(std::string_view name, std::string_view value) {
    constexpr std::string_view kOurs = "X-ClickHouse-";
    constexpr std::string_view kCode = "X-ClickHouse-Exception-Code";
    if (!starts_with(name, kOurs)) return;
    is_clickhouse = true;
    if (name.size() != kCode.size() || !starts_with(name, kCode)) return;
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    std::from_chars(value.data(), value.data() + value.size(), exception_code);
}

void Transport::Outcome::take_error(std::string_view bytes) {
    error_text.append(bytes, 0, kMostErrorText - error_text.size());
}

void Transport::keep_to(const Limits& limits) {
    if (limits.stop.stop_requested()) {
        abort();
        throw base::Stopped();
    }
    if (limits.deadline && std::chrono::steady_clock::now() >= *limits.deadline) {
        abort();
        throw TimedOut();
    }
}

bool Transport::take(std::string& incoming, std::string& bytes) {
    if (incoming.empty()) return false;
    if (bytes.empty()) {
        bytes.swap(incoming);
    } else {
        bytes += incoming;
    }
    incoming.clear();
    return true;
}

}  // namespace fendex::clickhouse
