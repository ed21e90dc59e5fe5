// Memory for many buffers, which are freed all at once. Its blocks come from the system, not from
// malloc. With malloc, a small allocation that lives longer could prevent freed blocks from being
// used again or returned, so that a long import would take more and more memory. Any thread.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace fendex::store {

class BlockMemory {
  public:
    static constexpr std::size_t kBlockBytes = std::size_t{2} << 20;

    /// Returns memory aligned to a cache line. `bytes` is at most kBlockBytes. Throws
    /// std::bad_alloc.
    void* take(std::size_t bytes) {
        bytes = (bytes + kLine - 1) / kLine * kLine;
        const std::lock_guard lock(mutex_);
        if (bytes > left_) begin_block();
        void* const out = blocks_[used_ - 1].get() + (kBlockBytes - left_);
        left_ -= bytes;
        return out;
    }
    /// Makes all memory that take() returned available again. Keeps the blocks for the next
    /// buffers, so that the system need not clear their pages again.
    void reuse() {
        const std::lock_guard lock(mutex_);
        used_ = 0;
        left_ = 0;
    }

  private:
    static constexpr std::size_t kLine = 64;

    struct Unmap {
        void operator()(std::byte* block) const { ::munmap(block, kBlockBytes); }
    };

    void begin_block() {
        if (used_ == blocks_.size()) blocks_.emplace_back(new_block());
        ++used_;
        left_ = kBlockBytes;
    }

    /// Returns a block at a multiple of its size. So it can be one huge page, which takes one page
    /// fault instead of 512: these took a seventh of the processor time of an import.
    static std::byte* new_block() {
        // Twice the size has such a block in it; the rest is given back.
        void* const both = ::mmap(nullptr, 2 * kBlockBytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (both == MAP_FAILED) throw std::bad_alloc();
        auto* const begin = static_cast<std::byte*>(both);
        const std::size_t before =
            (kBlockBytes - reinterpret_cast<std::uintptr_t>(begin) % kBlockBytes) % kBlockBytes;
        std::byte* const block = begin + before;
        if (before != 0) ::munmap(begin, before);
        ::munmap(block + kBlockBytes, kBlockBytes - before);
        ::madvise(block, kBlockBytes, MADV_HUGEPAGE);  // only a wish
        return block;
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<std::byte, Unmap>> blocks_;
    std::size_t used_ = 0;  // number of blocks in use
    std::size_t left_ = 0;  // bytes left in the last block in use
};

}  // namespace fendex::store
