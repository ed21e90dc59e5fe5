// How a test says that it could not run here.
#pragma once

#include <string>

namespace fendex::test {

/// Prints the reason on a line that begins with "skipped: ". If no assertion fails, the test
/// program then ends with kSkippedStatus, from which ctest knows that the test was skipped.
void skip(const std::string& reason);

/// True if the program is not installed: the test is skipped and has to return.
bool skip_without(const std::string& program);

/// Whether skip() has been called.
bool skipped();

/// SKIP_RETURN_CODE in tests/CMakeLists.txt.
inline constexpr int kSkippedStatus = 77;

}  // namespace fendex::test
