// How much of the machine a verb may take: --threads and --memory.
#pragma once

#include <cstddef>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

std::vector<Option> resource_options();

/// All cores by default.
unsigned threads_of(const Arguments& arguments);
/// 1G by default, or a quarter of what there is.
std::size_t memory_of(const Arguments& arguments);

}  // namespace fendex::cli
