#include "store/sqlite/reader/idle_snapshots.hpp"

#include <utility>

#include "store/store_error.hpp"

namespace fendex::store {

std::uint64_t IdleSnapshots::use(RestingReader& reader) {
    const std::lock_guard lock(mutex_);
    std::erase(resting_, &reader);
    ++uses_;
    return round_;
}

bool IdleSnapshots::rest(RestingReader& reader, std::uint64_t round) {
    const std::lock_guard lock(mutex_);
    // A snapshot that began in an earlier round is ended: it may be old.
    if (!is_busy_ || round != round_) return false;
    resting_.push_back(&reader);
    return true;
}

void IdleSnapshots::forget(RestingReader& reader) {
    const std::lock_guard lock(mutex_);
    std::erase(resting_, &reader);
}

void IdleSnapshots::end_all() {
    const std::lock_guard lock(mutex_);
    ++round_;
    is_busy_ = std::exchange(uses_, 0) >= kOften;
    for (RestingReader* const reader : resting_) {
        try {
            reader->end_snapshot();
        } catch (const StoreError&) {
            // The next use will report what is wrong.
        }
    }
    resting_.clear();
}

}  // namespace fendex::store
