// Times as texts.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::base {

/// Returns seconds since 1970 as "2026-11-21T21:24:20Z", which sorts by time.
std::string utc_time(std::int64_t seconds);

}  // namespace fendex::base
