// The options --threads and --memory.
#pragma once

#include <cstddef>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

Option threads_option();
std::vector<Option> resource_options();

/// Returns the number of threads; all cores by default.
unsigned threads_of(const Arguments& arguments);
/// Returns the memory in bytes; by default 1G, or a quarter of the machine's memory if that is
/// less.
std::size_t memory_of(const Arguments& arguments);

}  // namespace fendex::cli
