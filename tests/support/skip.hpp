// How a test says that it could not run here.
#pragma once

#include <cstdio>
#include <string>

namespace fendex::test {

/// Prints a line that begins with "skipped: ", from which ctest knows that the test was skipped.
/// ctest then ignores the exit status: the test has to return at once, without an assertion.
inline void skip(const std::string& reason) {
    std::puts(("skipped: " + reason).c_str());
    std::fflush(stdout);
}

}  // namespace fendex::test
