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
    if (const auto known = chunks_.find(chunk); known != chunks_.end()) {
        return {memory_, known->second};
    }
    for (const Recent& each : recent_) {
        if (each.bytes.owner && each.chunk == chunk) return each.bytes;
    }
    return {};
}

ChunkBytes SharedChunks::add(std::uint64_t chunk, const ChunkBytes& read, std::size_t most_bytes,
                             Reading reading) {
    constexpr int kTimesInOneCommand = 2;
    const std::lock_guard lock(mutex_);
    if (const auto known = chunks_.find(chunk); known != chunks_.end()) {
        return {memory_, known->second};
    }
    if (reading == Reading::kInTurn &&
        (++times_read_[chunk] <= kTimesInOneCommand || bytes_ >= most_bytes)) {
        recent_[next_recent_++ % recent_.size()] = {chunk, read};
        return read;
    }
    if (bytes_ >= most_bytes) {
        chunks_.clear();
        memory_ = std::make_shared<Memory>();
        bytes_ = 0;
    }
    char* const copy = memory_->take(read.bytes.size());
    std::ranges::copy(read.bytes, copy);
    bytes_ += read.bytes.size();
    const std::string_view kept(copy, read.bytes.size());
    chunks_.emplace(chunk, kept);
    return {memory_, kept};
}

}  // namespace fendex::store
