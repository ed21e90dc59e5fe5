// Blocks of memory from the system, not from malloc: so large that each can be one huge page, which
// takes one page fault instead of 512. Any thread.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace fendex::base {

/// Blocks have a multiple of this size, and begin at a multiple of it: the size of a huge page.
inline constexpr std::size_t kHugeBlockBytes = std::size_t{2} << 20;

struct FreeHugeBlock {
    std::size_t bytes = kHugeBlockBytes;
    void operator()(std::byte* block) const { ::munmap(block, bytes); }
};
using HugeBlock = std::unique_ptr<std::byte, FreeHugeBlock>;

/// Returns the size of a block that has at least `bytes`.
constexpr std::size_t whole_blocks(std::size_t bytes) {
    return (bytes + kHugeBlockBytes - 1) / kHugeBlockBytes * kHugeBlockBytes;
}

/// Returns a block of at least `bytes`. Throws std::bad_alloc.
inline HugeBlock new_huge_block(std::size_t bytes = kHugeBlockBytes) {
    bytes = whole_blocks(bytes);
    // One block more has such a beginning in it; the rest is given back.
    const std::size_t all = bytes + kHugeBlockBytes;
    void* const memory =
        ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    auto* const begin = static_cast<std::byte*>(memory);
    const std::size_t before =
        (kHugeBlockBytes - reinterpret_cast<std::uintptr_t>(begin) % kHugeBlockBytes) %
        kHugeBlockBytes;
    std::byte* const block = begin + before;
    if (before != 0) ::munmap(begin, before);
    ::munmap(block + bytes, kHugeBlockBytes - before);
#ifdef MADV_HUGEPAGE
    static_cast<void>(::madvise(block, bytes, MADV_HUGEPAGE));  // only a wish
#endif
    return HugeBlock(block, {bytes});
}

}  // namespace fendex::base
