#include "store/sqlite/caches/shared_chunks.hpp"

#include <algorithm>

namespace fendex::store {

char* SharedChunks::Memory::take(std::size_t bytes) {
    if (bytes > left_) {
        blocks_.push_back(base::new_huge_block(bytes));
        next_ = reinterpret_cast<char*>(blocks_.back().get());
        left_ = blocks_.back().get_deleter().bytes;
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
