#include "store/sqlite/caches/shared_chunks.hpp"

namespace fendex::store {

std::shared_ptr<const std::string> SharedChunks::find(std::uint64_t chunk) {
    const std::lock_guard lock(mutex_);
    const auto known = chunks_.find(chunk);
    return known == chunks_.end() ? nullptr : known->second;
}

void SharedChunks::add(std::uint64_t chunk, std::shared_ptr<const std::string> bytes,
                       std::size_t most_bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes_ >= most_bytes) {
        chunks_.clear();
        bytes_ = 0;
    }
    bytes_ += bytes->size();
    chunks_.insert_or_assign(chunk, std::move(bytes));
}

}  // namespace fendex::store
