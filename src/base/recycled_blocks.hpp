// An allocator for large buffers of which a thread fills one after another while other threads
// still read the ones before. Freed blocks are kept for the next buffer, up to a few megabytes: the
// system would have to clear their pages again.
#pragma once

#include <cstddef>

namespace fendex::base {

/// Any thread. The block has room for at least so many bytes; throws std::bad_alloc.
[[nodiscard]] void* take_block(std::size_t bytes);
/// Frees a block that was taken for so many bytes, or keeps it for later.
void give_block(void* block, std::size_t bytes) noexcept;

template <typename Value>
struct RecycledBlocks {
    using value_type = Value;

    RecycledBlocks() = default;
    template <typename Other>
    RecycledBlocks(const RecycledBlocks<Other>&) {}  // NOLINT: as allocators are converted

    [[nodiscard]] Value* allocate(std::size_t count) {
        return static_cast<Value*>(take_block(count * sizeof(Value)));
    }
    void deallocate(Value* block, std::size_t count) noexcept {
        give_block(block, count * sizeof(Value));
    }
    friend bool operator==(const RecycledBlocks&, const RecycledBlocks&) { return true; }
};

}  // namespace fendex::base
