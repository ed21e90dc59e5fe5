// The options --threads and --memory, and the place for files that need not fit into memory.
#pragma once

#include <cstddef>
#include <string>

#include "cli/options/arguments.hpp"

namespace fendex::cli {

Option threads_option();
Option memory_option();
std::vector<Option> resource_options();

/// Returns the number of threads; all cores by default.
unsigned threads_of(const Arguments& arguments);
/// Returns the memory in bytes; by default 1G, or a quarter of the machine's memory if that is
/// less.
std::size_t memory_of(const Arguments& arguments);

/// Returns the directory for the sorter's temporary files: the database's, which has room for files
/// of its size, or the system's if that is not writable.
std::string spill_directory(const std::string& database);

}  // namespace fendex::cli
