// A temporary file without a name, for data that exceeds memory. It disappears with the process,
// however that ends. Any thread may append and read at any time. Throws StoreError if the file
// cannot be made, written or read.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace fendex::store {

class SpillFile {
  public:
    /// The file is made in this directory by the first append().
    explicit SpillFile(std::string directory) : directory_(std::move(directory)) {}
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    /// Returns the offset of the bytes.
    std::uint64_t append(const void* bytes, std::size_t size);
    void read(std::uint64_t offset, void* out, std::size_t size) const;
    /// Removes the file. The next append() makes a new one. No other thread may use it meanwhile.
    void clear();

  private:
    void create();

    std::string directory_;
    std::mutex mutex_;
    int file_ = -1;
    std::atomic<std::uint64_t> size_{0};
};

}  // namespace fendex::store
