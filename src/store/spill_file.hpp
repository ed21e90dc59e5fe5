// A temporary file without a name, for data that does not fit in memory. The system removes it when
// the process ends in any way. Any thread may append and read at any time. Throws StoreError if the
// file cannot be created, written or read.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace fendex::store {

class SpillFile {
  public:
    /// The first append() creates the file in this directory.
    explicit SpillFile(std::string directory) : directory_(std::move(directory)) {}
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    /// Appends the bytes and returns their offset.
    std::uint64_t append(const void* bytes, std::size_t size);
    void read(std::uint64_t offset, void* out, std::size_t size) const;
    /// Removes the file. The next append() creates a new one. No other thread may use the file
    /// during the call.
    void clear();

  private:
    void create();

    std::string directory_;
    std::mutex mutex_;
    int file_ = -1;
    std::atomic<std::uint64_t> size_{0};
};

}  // namespace fendex::store
