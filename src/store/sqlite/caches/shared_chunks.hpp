// Chunks of a few bytes for every game, which the readers of one snapshot share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace fendex::store {

/// Chunks that the readers of one snapshot have read. Any thread.
class SharedChunks {
  public:
    /// Returns the bytes of a chunk; null if no reader has read it.
    [[nodiscard]] std::shared_ptr<const std::string> find(std::uint64_t chunk);
    /// Adds a chunk. First forgets all chunks if they take `most_bytes` or more.
    void add(std::uint64_t chunk, std::shared_ptr<const std::string> bytes, std::size_t most_bytes);

  private:
    std::mutex mutex_;
    std::unordered_map<std::uint64_t, std::shared_ptr<const std::string>> chunks_;
    std::size_t bytes_ = 0;
};

}  // namespace fendex::store
