// Memory for many buffers, freed all at once: it stays apart from what others allocate and free
// meanwhile, so that they find the memory again that they have freed. Any thread.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace fendex::store {

class BlockMemory {
  public:
    static constexpr std::size_t kBlockBytes = std::size_t{2} << 20;

    /// Returns memory aligned like a cache line. At most kBlockBytes. Throws std::bad_alloc.
    void* take(std::size_t bytes) {
        bytes = (bytes + kLine - 1) / kLine * kLine;
        const std::lock_guard lock(mutex_);
        if (bytes > left_) add_block();
        void* const out = blocks_.back().get() + (kBlockBytes - left_);
        left_ -= bytes;
        return out;
    }

  private:
    static constexpr std::size_t kLine = 64;

    struct Free {
        void operator()(std::byte* block) const { std::free(block); }
    };

    void add_block() {
        void* const block = std::aligned_alloc(kLine, kBlockBytes);
        if (block == nullptr) throw std::bad_alloc();
        blocks_.emplace_back(static_cast<std::byte*>(block));
        left_ = kBlockBytes;
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<std::byte, Free>> blocks_;
    std::size_t left_ = 0;  // of the last block
};

}  // namespace fendex::store
