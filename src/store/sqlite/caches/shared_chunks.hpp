// Chunks of a few bytes for every game, which the readers of one snapshot share.
#pragma once

#include <array>
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
    /// How a reader goes over the chunks.
    enum class Reading {
        kAtRandom,  // it may soon need any of those again that it needed last
        kInTurn,    // from the first to the last
    };

    /// Returns a chunk; without an owner if it must be read.
    [[nodiscard]] ChunkBytes find(std::uint64_t chunk);
    /// Takes a chunk that was read from the file, and returns it or the copy that is kept. If
    /// copies take `most_bytes` or more, a chunk read at random takes the place of all others, and
    /// one read in turn is found only until some others have been read. So is one read in turn for
    /// the first or the second time: one command goes over all chunks once or twice, and to fill
    /// the memory would take it longer.
    ChunkBytes add(std::uint64_t chunk, const ChunkBytes& read, std::size_t most_bytes,
                   Reading reading);

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

    struct Recent {
        std::uint64_t chunk = 0;
        ChunkBytes bytes;
    };

    std::mutex mutex_;
    std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
    std::unordered_map<std::uint64_t, std::string_view> chunks_;
    std::unordered_map<std::uint64_t, int> times_read_;  // in turn
    /// The chunks that were read in turn last. A reader asks for a chunk again for each of its
    /// columns.
    std::array<Recent, 16> recent_;
    std::size_t next_recent_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace fendex::store
