// Questions on the command line that a file and a cluster must answer with the same bytes.
#pragma once

#include <string>
#include <vector>

namespace fendex::test {

/// Words after "fendex", with "@" for the database. Some find nothing, some are refused.
[[nodiscard]] std::vector<std::vector<std::string>> questions_to_all_stores();

}  // namespace fendex::test
