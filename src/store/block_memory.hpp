// Memory for many buffers, which are freed all at once. Its blocks come from the system, not from
// malloc. With malloc, a small allocation that lives longer could prevent freed blocks from being
// used again or returned, so that a long import would take more and more memory. Any thread.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "base/huge_block.hpp"

namespace fendex::store {

class BlockMemory {
  public:
    static constexpr std::size_t kBlockBytes = base::kHugeBlockBytes;

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

    void begin_block() {
        if (used_ == blocks_.size()) blocks_.push_back(base::new_huge_block());
        ++used_;
        left_ = kBlockBytes;
    }

    std::mutex mutex_;
    std::vector<base::HugeBlock> blocks_;
    std::size_t used_ = 0;  // number of blocks in use
    std::size_t left_ = 0;  // bytes left in the last block in use
};

}  // namespace fendex::store
