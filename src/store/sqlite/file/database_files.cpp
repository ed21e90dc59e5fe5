#include "store/sqlite/file/database_files.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "store/sqlite/file/opened_file.hpp"
#include "store/store_error.hpp"

namespace fendex::store {

namespace fs = std::filesystem;

namespace {

/// The number of links that the system follows.
constexpr int kMostLinks = 40;

/// Returns the path of the file that writing to `path` creates. A link can lead to a file that does
/// not exist.
fs::path end_of_links(fs::path path) {
    std::error_code error;
    for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
        path = path.parent_path() / fs::read_symlink(path, error);
    }
    return path;
}

/// Returns whether two paths lead to the same file. Compares paths of missing files by folder and
/// name.
bool is_same_file(const fs::path& one, const fs::path& other) {
    std::error_code error;
    if (fs::equivalent(one, other, error)) return true;
    const auto folder = [](const fs::path& path) {
        return path.has_parent_path() ? path.parent_path() : fs::path(".");
    };
    return one.filename() == other.filename() && fs::equivalent(folder(one), folder(other), error);
}

void require_regular(const std::string& path) {
    std::error_code error;
    const char* what = nullptr;
    switch (fs::status(path, error).type()) {
        case fs::file_type::directory: what = "a directory"; break;
        case fs::file_type::fifo: what = "a pipe"; break;
        case fs::file_type::socket: what = "a socket"; break;
        case fs::file_type::character:
        case fs::file_type::block: what = "a device"; break;
        default: return;
    }
    throw StoreError(StoreError::kNotADatabase, path + ": is " + what + ", not a database");
}

}  // namespace

std::string real_path(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    return error ? path : real.string();
}

bool belongs_to_database(const std::string& database, const std::string& path) {
    const fs::path target = end_of_links(path);
    const std::string real = real_path(database);
    if (is_same_file(real, target) || is_same_file(real + kLockSuffix, target)) return true;
    for (const char* const suffix : kSqliteSuffixes) {
        if (is_same_file(real + suffix, target)) return true;
    }
    return false;
}

bool can_write_beside(const std::string& database) {
    const std::string real = real_path(database);
    const fs::path folder = fs::path(real).parent_path();
    return ::access(real.c_str(), W_OK) == 0 &&
           ::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0;
}

bool has_log(const std::string& database) {
    std::error_code error;
    const std::string real = real_path(database);
    return fs::exists(real + "-wal", error) && fs::exists(real + "-shm", error);
}

bool log_has_content(const std::string& database) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(real_path(database) + "-wal", error);
    return !error && size != 0;
}

bool is_whole(const std::string& database) {
    if (is_log_of_earlier_file(database)) return true;
    std::error_code error;
    return !log_has_content(database) && !fs::exists(real_path(database) + "-journal", error);
}

void require_regular_files(const std::string& database) {
    require_regular(database);
    const std::string real = real_path(database);
    for (const char* const suffix : kSqliteSuffixes) require_regular(real + suffix);
}

}  // namespace fendex::store
