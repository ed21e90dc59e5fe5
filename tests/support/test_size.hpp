// The size of slow tests. They are quick unless the environment variable FENDEX_TEST_SIZE is
// "full", as in continuous integration.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "support/sanitizers.hpp"

namespace fendex::test {

inline bool full_size() {
    const char* const size = std::getenv("FENDEX_TEST_SIZE");
    return size != nullptr && std::string_view(size) == "full";
}

/// Returns `full` in a run at full size, otherwise `quick`. Both are numbers of games, rounds or
/// failing calls. The test makes the same assertions at either size.
template <typename Number>
Number at_size(Number quick, Number full) {
    return full_size() ? full : quick;
}

/// True if a quick run leaves out the round of that number: it does only each n-th. A sanitizer
/// build leaves out enough as it is (see left_out()).
inline bool left_to_full_size(std::size_t round, std::size_t n) {
    return !kSanitized && !full_size() && round % n != 0;
}

}  // namespace fendex::test
