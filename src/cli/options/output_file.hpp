// The file that a verb writes its answer to.
#pragma once

#include <string>

namespace fendex::cli {

/// Throws UsageError if the output is the database or a file that belongs to it, by whatever name.
/// "-" is standard output.
void refuse_database_as_output(const std::string& database, const std::string& output);

}  // namespace fendex::cli
