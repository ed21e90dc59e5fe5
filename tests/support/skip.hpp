// Marks tests that cannot run on this machine as skipped.
#pragma once

#include <string>

namespace fendex::test {

/// Prints the reason on a line that begins with "skipped: ". If no assertion fails, the test
/// program then ends with kSkippedStatus, so that ctest reports the test as skipped.
void skip(const std::string& reason);

/// True if the program is not installed: then the test has been marked as skipped and must return.
bool skip_without(const std::string& program);

/// True if skip() has been called.
bool skipped();

/// SKIP_RETURN_CODE in tests/CMakeLists.txt.
inline constexpr int kSkippedStatus = 77;

}  // namespace fendex::test
