// Chunks of a few bytes for every game, which the readers of one snapshot share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/huge_block.hpp"

namespace fendex::store {

/// The bytes of a chunk, and what keeps them alive.
struct ChunkBytes {
    std::shared_ptr<const void> owner;
    std::string_view bytes;
};

/// Chunks that the readers of one snapshot have read. Any thread.
class SharedChunks {
  public:
    /// What add() does when there is no room.
    enum class IfFull { kForgetAll, kKeepOthers };

    /// Returns a chunk; without an owner if no reader has read it.
    [[nodiscard]] ChunkBytes find(std::uint64_t chunk);
    /// Copies a chunk and returns the copy; without an owner if there is no room, because chunks
    /// take `most_bytes` or more.
    ChunkBytes add(std::uint64_t chunk, std::string_view bytes, std::size_t most_bytes,
                   IfFull if_full);

  private:
    /// The memory of many chunks. They are freed all at once, when nobody uses any of them.
    class Memory {
      public:
        char* take(std::size_t bytes);

      private:
        std::vector<base::HugeBlock> blocks_;
        char* next_ = nullptr;
        std::size_t left_ = 0;
    };

    std::mutex mutex_;
    std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
    std::unordered_map<std::uint64_t, std::string_view> chunks_;
    std::size_t bytes_ = 0;
};

}  // namespace fendex::store
