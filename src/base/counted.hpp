// Writes a count with what is counted.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::base {

/// Returns "1 game", "2 games".
inline std::string counted(std::uint64_t count, const char* what) {
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

}  // namespace fendex::base
