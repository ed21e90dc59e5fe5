#include "store/sqlite/caches/shared_chunks.hpp"

#include <algorithm>
#include <iterator>
#include <new>

namespace fendex::store {

base::HugeBlock SharedChunks::FreeBlocks::take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (blocks_.empty() || bytes > base::kHugeBlockBytes) return base::new_huge_block(bytes);
    base::HugeBlock block = std::move(blocks_.back());
    blocks_.pop_back();
    return block;
}

void SharedChunks::FreeBlocks::give_back(std::vector<base::HugeBlock> blocks) noexcept {
    const std::lock_guard lock(mutex_);
    std::erase_if(blocks, [](const base::HugeBlock& block) {
        return block.get_deleter().bytes != base::kHugeBlockBytes;
    });
    try {
        blocks_.reserve(blocks_.size() + blocks.size());
    } catch (const std::bad_alloc&) {
        return;  // the system gets them
    }
    std::ranges::move(blocks, std::back_inserter(blocks_));
}

char* SharedChunks::Memory::take(std::size_t bytes) {
    if (bytes > left_) {
        blocks_.push_back(free_->take(bytes));
        next_ = reinterpret_cast<char*>(blocks_.back().get());
        left_ = blocks_.back().get_deleter().bytes;
    }
    char* const out = next_;
    next_ += bytes;
    left_ -= bytes;
    return out;
}

ChunkBytes SharedChunks::kept(std::uint64_t chunk) const {
    for (const Half& half : halves_) {
        if (const auto known = half.chunks.find(chunk); known != half.chunks.end()) {
            return {half.memory, known->second};
        }
    }
    return {};
}

ChunkBytes SharedChunks::find(std::uint64_t chunk) {
    const std::lock_guard lock(mutex_);
    if (ChunkBytes known = kept(chunk); known.owner) return known;
    for (const Recent& each : recent_) {
        if (each.bytes.owner && each.chunk == chunk) return each.bytes;
    }
    return {};
}

ChunkBytes SharedChunks::add(std::uint64_t chunk, const ChunkBytes& read, std::size_t most_bytes,
                             Reading reading) {
    const std::lock_guard lock(mutex_);
    if (ChunkBytes known = kept(chunk); known.owner) return known;
    const int times_in_one_command = reading == Reading::kInTurn ? 2 : 1;
    const bool is_full = halves_[0].bytes + halves_[1].bytes >= most_bytes;
    if (++times_read_[chunk] <= times_in_one_command || (reading == Reading::kInTurn && is_full)) {
        recent_[next_recent_++ % recent_.size()] = {chunk, read};
        return read;
    }
    if (halves_[growing_].bytes >= most_bytes / 2) {
        growing_ = 1 - growing_;
        if (is_full) forget(halves_[growing_]);
    }
    Half& half = halves_[growing_];
    char* const copy = half.memory->take(read.bytes.size());
    std::ranges::copy(read.bytes, copy);
    half.bytes += read.bytes.size();
    const std::string_view kept_bytes(copy, read.bytes.size());
    half.chunks.emplace(chunk, kept_bytes);
    return {half.memory, kept_bytes};
}

}  // namespace fendex::store
