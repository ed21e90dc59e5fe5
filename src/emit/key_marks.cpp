#include "emit/key_marks.hpp"

#include <algorithm>
#include <bit>

namespace fendex::emit {

namespace {

/// The directory has about one entry for four keys, so that it adds two bytes to each.
unsigned directory_bits(std::size_t keys) {
    return std::max(1U, static_cast<unsigned>(std::bit_width(keys / 4)));
}

}  // namespace

KeyMarks::KeyMarks(std::vector<std::uint64_t> keys)
    : keys_(std::move(keys)),
      shift_(64 - directory_bits(keys_.size())),
      begin_((std::size_t{1} << (64 - shift_)) + 1),
      marks_(std::make_unique<std::atomic<bool>[]>(keys_.size())) {
    std::size_t at = 0;
    for (std::size_t bits = 0; bits < begin_.size(); ++bits) {
        while (at < keys_.size() && keys_[at] >> shift_ < bits) ++at;
        begin_[bits] = at;
    }
}

/// Returns the index of the key, or the number of keys.
std::size_t KeyMarks::find(std::uint64_t key) const {
    const std::size_t bits = key >> shift_;
    for (std::size_t at = begin_[bits]; at < begin_[bits + 1]; ++at) {
        if (keys_[at] == key) return at;
    }
    return keys_.size();
}

/// Does not write to keys that are marked already, as most keys of frequent positions are.
void KeyMarks::mark(std::uint64_t key) const {
    const std::size_t at = find(key);
    if (at == keys_.size() || marks_[at].load(std::memory_order_relaxed)) return;
    marks_[at].store(true, std::memory_order_relaxed);
}

bool KeyMarks::is_marked(std::uint64_t key) const {
    const std::size_t at = find(key);
    return at != keys_.size() && marks_[at].load(std::memory_order_relaxed);
}

}  // namespace fendex::emit
