// Tells the user how much disk space a verb will need.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::cli {

/// Returns a size as "12.3 MB" or "4.56 GB".
std::string size_text(std::uint64_t bytes);

/// Returns a line with `need` and what is free beside the database. Throws it as
/// std::runtime_error if that is less than `bytes`.
[[nodiscard]] std::string require_space(const std::string& database, std::uint64_t bytes,
                                        const std::string& need);

}  // namespace fendex::cli
