#include "cli/options/resources.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace fendex::cli {

namespace {

std::size_t default_memory() {
    const auto pages = static_cast<std::size_t>(std::max(0L, ::sysconf(_SC_PHYS_PAGES)));
    const auto page = static_cast<std::size_t>(std::max(1L, ::sysconf(_SC_PAGE_SIZE)));
    const std::size_t quarter = pages * page / 4;
    return quarter == 0 ? std::size_t{1} << 30 : std::min(std::size_t{1} << 30, quarter);
}

}  // namespace

Option threads_option() { return valued("threads", "N", "number of threads (default: all cores)"); }

Option memory_option() {
    return valued("memory", "SIZE",
                  "memory for sorting, as in 512M or 2G (default: 1G, or a quarter of the "
                  "machine's memory if that is less)");
}

std::vector<Option> resource_options() { return {threads_option(), memory_option()}; }

unsigned threads_of(const Arguments& arguments) {
    const auto threads = arguments.number("threads");
    if (!threads) return std::max(1U, std::thread::hardware_concurrency());
    if (*threads < 1 || *threads > 256) throw UsageError("--threads takes a number from 1 to 256");
    return static_cast<unsigned>(*threads);
}

std::size_t memory_of(const Arguments& arguments) {
    const auto memory = arguments.find("memory");
    return memory ? parse_size(*memory) : default_memory();
}

std::string spill_directory(const std::string& database) {
    const std::filesystem::path beside = std::filesystem::absolute(database).parent_path();
    return ::access(beside.c_str(), W_OK) == 0 ? beside.string()
                                               : std::filesystem::temp_directory_path().string();
}

}  // namespace fendex::cli
