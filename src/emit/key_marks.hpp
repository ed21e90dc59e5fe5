// A fixed set of position keys, each of which can be marked. Any number of threads may mark keys
// and look them up at once. Takes about ten bytes per key.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fendex::emit {

class KeyMarks {
  public:
    /// The keys must be sorted and without duplicates.
    explicit KeyMarks(std::vector<std::uint64_t> keys);

    /// Marks the key if it is in the set.
    void mark(std::uint64_t key) const;
    /// Returns false also for a key that is not in the set.
    [[nodiscard]] bool is_marked(std::uint64_t key) const;

  private:
    std::size_t find(std::uint64_t key) const;

    std::vector<std::uint64_t> keys_;
    unsigned shift_ = 0;
    std::vector<std::size_t> begin_;  // the first key with these leading bits, for all of them
    std::unique_ptr<std::atomic<bool>[]> marks_;
};

}  // namespace fendex::emit
