#include "base/recycled_blocks.hpp"

#include <array>
#include <bit>
#include <mutex>
#include <new>
#include <utility>

namespace fendex::base {

namespace {

constexpr std::size_t kSmallest = std::size_t{1} << 18;  // smaller blocks are malloc's
constexpr std::size_t kLargest = std::size_t{1} << 22;

/// Blocks have sizes of powers of two, of which only the pages that are used take memory.
std::size_t size_for(std::size_t bytes) {
    return bytes < kSmallest || bytes > kLargest ? bytes : std::bit_ceil(bytes);
}

struct KeptBlocks {
    struct Kept {
        void* block = nullptr;
        std::size_t size = 0;
    };

    std::mutex mutex;
    std::array<Kept, 4> blocks;
    std::size_t next = 0;
};

KeptBlocks& kept_blocks() {
    static KeptBlocks kept;
    return kept;
}

}  // namespace

void* take_block(std::size_t bytes) {
    const std::size_t size = size_for(bytes);
    if (size >= kSmallest && size <= kLargest) {
        KeptBlocks& kept = kept_blocks();
        const std::lock_guard lock(kept.mutex);
        for (KeptBlocks::Kept& each : kept.blocks) {
            if (each.block == nullptr || each.size != size) continue;
            void* const block = each.block;
            each = {};
            return block;
        }
    }
    return ::operator new(size);
}

void give_block(void* block, std::size_t bytes) noexcept {
    const std::size_t size = size_for(bytes);
    if (size >= kSmallest && size <= kLargest) {
        KeptBlocks& kept = kept_blocks();
        const std::lock_guard lock(kept.mutex);
        // In place of the one that was kept longest, whose size may be needed no more.
        KeptBlocks::Kept& oldest = kept.blocks[kept.next++ % kept.blocks.size()];
        block = std::exchange(oldest, {block, size}).block;
    }
    ::operator delete(block);
}

}  // namespace fendex::base
