#include "cli/output/space.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <stdexcept>

namespace fendex::cli {

std::string size_text(std::uint64_t bytes) {
    const auto size = static_cast<double>(bytes);
    return size < 1e9 ? fmt::format("{:.1f} MB", size / 1e6) : fmt::format("{:.2f} GB", size / 1e9);
}

std::string require_space(const std::string& database, std::uint64_t bytes,
                          const std::string& need) {
    const std::uint64_t available = std::filesystem::space(database).available;
    std::string text =
        fmt::format("{}; the disk of '{}' has {} free", need, database, size_text(available));
    if (available < bytes) throw std::runtime_error(text);
    return text;
}

}  // namespace fendex::cli
