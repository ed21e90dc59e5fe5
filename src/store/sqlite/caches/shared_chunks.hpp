// Chunks of a few bytes for every game, which the readers of one snapshot share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
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
    SharedChunks() {
        for (Half& half : halves_) forget(half);
    }

    /// How a reader goes over the chunks.
    enum class Reading {
        kAtRandom,  // it may soon need any of those again that it needed last
        kInTurn,    // from the first to the last
    };

    /// Returns a chunk; without an owner if it must be read.
    [[nodiscard]] ChunkBytes find(std::uint64_t chunk);
    /// Takes a chunk that was read from the file, and returns it or the copy that is kept. If
    /// copies take `most_bytes`, a chunk read at random takes the place of the half that was kept
    /// before the other one, and one read in turn is found only until some others have been read.
    /// So is one read at random for the first time, and one read in turn for the first or the
    /// second time: most commands need no more of them than that, and to fill the memory would take
    /// longer.
    ChunkBytes add(std::uint64_t chunk, const ChunkBytes& read, std::size_t most_bytes,
                   Reading reading);

  private:
    /// Blocks that nobody uses now. New ones would cost more than the copies that they are for: the
    /// system clears them. Any thread.
    class FreeBlocks {
      public:
        base::HugeBlock take(std::size_t bytes);
        void give_back(std::vector<base::HugeBlock> blocks) noexcept;

      private:
        std::mutex mutex_;
        std::vector<base::HugeBlock> blocks_;  // of the usual size
    };

    /// The memory of many chunks, which is given back when nobody uses any of them.
    class Memory {
      public:
        explicit Memory(std::shared_ptr<FreeBlocks> free) : free_(std::move(free)) {}
        ~Memory() { free_->give_back(std::move(blocks_)); }
        Memory(const Memory&) = delete;
        Memory& operator=(const Memory&) = delete;

        char* take(std::size_t bytes);

      private:
        std::shared_ptr<FreeBlocks> free_;
        std::vector<base::HugeBlock> blocks_;
        char* next_ = nullptr;
        std::size_t left_ = 0;
    };

    /// Chunks that are forgotten together.
    struct Half {
        std::shared_ptr<Memory> memory;
        std::unordered_map<std::uint64_t, std::string_view> chunks;
        std::size_t bytes = 0;
    };

    void forget(Half& half) const { half = {std::make_shared<Memory>(free_), {}, 0}; }

    struct Recent {
        std::uint64_t chunk = 0;
        ChunkBytes bytes;
    };

    /// Returns a chunk that is kept; without an owner if it is not.
    [[nodiscard]] ChunkBytes kept(std::uint64_t chunk) const;

    std::mutex mutex_;
    std::shared_ptr<FreeBlocks> free_ = std::make_shared<FreeBlocks>();
    std::array<Half, 2> halves_;
    std::size_t growing_ = 0;  // the half that takes chunks
    std::unordered_map<std::uint64_t, int> times_read_;
    /// The chunks that were read last and are not kept. A reader asks for a chunk again for each of
    /// its columns.
    std::array<Recent, 16> recent_;
    std::size_t next_recent_ = 0;
};

}  // namespace fendex::store
