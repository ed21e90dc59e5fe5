// Files of a fuzz target, in memory if the system has a file system there.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fendex::fuzz {

/// A directory of this process, removed when the process ends.
inline const std::string& scratch_directory() {
    struct Directory {
        std::string path = (std::filesystem::exists("/dev/shm")
                                ? "/dev/shm"
                                : std::filesystem::temp_directory_path().string()) +
                           "/fendex-fuzz-" + std::to_string(::getpid());
        Directory() { std::filesystem::create_directories(path); }
        ~Directory() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    };
    static const Directory directory;
    return directory.path;
}
inline std::string scratch(const std::string& name) { return scratch_directory() + '/' + name; }

inline std::string read_all(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_all(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace fendex::fuzz
