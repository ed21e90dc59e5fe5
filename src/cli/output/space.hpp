// Checks and describes the disk space that a verb needs.
#pragma once

#include <cstdint>
#include <string>

namespace fendex::cli {

/// Returns a size as "12.3 MB" or "4.56 GB".
std::string size_text(std::uint64_t bytes);

/// Returns a line with `need` and the free space on the database's disk. If less than `bytes` are
/// free, throws the line as std::runtime_error.
[[nodiscard]] std::string require_space(const std::string& database, std::uint64_t bytes,
                                        const std::string& need);

}  // namespace fendex::cli
