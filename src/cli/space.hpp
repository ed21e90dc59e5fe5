// Space on disk, said before it is taken.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::cli {

/// "12.3 MB", "4.56 GB".
std::string size_text(std::uint64_t bytes);

/// Says on standard error `need`, and what is free beside the database. Throws std::runtime_error
/// where that is less than `bytes`.
void require_space(const std::string& database, std::uint64_t bytes, const std::string& need);

}  // namespace fendex::cli
