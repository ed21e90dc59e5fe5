#include "store/sqlite/caches/shared_chunks.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace fendex::store {

/// From the second block on, the system is asked for one large page for each block: it takes longer
/// to clear the small pages one by one than to read chunks into them.
SharedChunks::Memory::Block SharedChunks::Memory::new_block(std::size_t bytes) {
    const auto rounded = (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    return Block(static_cast<char*>(::operator new (rounded, std::align_val_t{kBlockBytes})));
}

char* SharedChunks::Memory::take(std::size_t bytes) {
    if (bytes > left_) {
        blocks_.push_back(new_block(bytes));
        next_ = blocks_.back().get();
        left_ = std::max(bytes, kBlockBytes);
#ifdef MADV_HUGEPAGE
        if (blocks_.size() > 1) static_cast<void>(::madvise(next_, left_, MADV_HUGEPAGE));
#endif
    }
    char* const out = next_;
    next_ += bytes;
    left_ -= bytes;
    return out;
}

ChunkBytes SharedChunks::find(std::uint64_t chunk) {
    const std::lock_guard lock(mutex_);
    const auto known = chunks_.find(chunk);
    return known == chunks_.end() ? ChunkBytes{} : ChunkBytes{memory_, known->second};
}

ChunkBytes SharedChunks::add(std::uint64_t chunk, std::string_view bytes, std::size_t most_bytes,
                             IfFull if_full) {
    const std::lock_guard lock(mutex_);
    if (const auto known = chunks_.find(chunk); known != chunks_.end()) {
        return {memory_, known->second};
    }
    if (bytes_ >= most_bytes) {
        if (if_full == IfFull::kKeepOthers) return {};
        chunks_.clear();
        memory_ = std::make_shared<Memory>();
        bytes_ = 0;
    }
    char* const copy = memory_->take(bytes.size());
    std::ranges::copy(bytes, copy);
    bytes_ += bytes.size();
    const std::string_view kept(copy, bytes.size());
    chunks_.emplace(chunk, kept);
    return {memory_, kept};
}

}  // namespace fendex::store
