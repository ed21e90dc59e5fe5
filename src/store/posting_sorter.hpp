// Sorts the postings of a segment. They are added with game ids modulo Posting::kMaxGames. In the
// result, games are counted from the first game of the segment.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/posting.hpp"
#include "store/record_sorter.hpp"

namespace fendex::store {

class PostingSorter : private RecordSorter<codec::Posting> {
  public:
    using RecordSorter::clear;
    using RecordSorter::close;
    using RecordSorter::Feeder;
    using RecordSorter::feeder;
    using RecordSorter::kPartitions;
    using RecordSorter::largest_partition;
    using RecordSorter::partition_size;
    using RecordSorter::RecordSorter;

    /// Like RecordSorter::close(). take() will count games from `first`.
    std::uint64_t close(std::uint32_t first) {
        first_ = first;
        return RecordSorter::close();
    }
    /// Like RecordSorter::take(). Postings are sorted by key, next move, game and ply.
    void take(unsigned partition, std::vector<codec::Posting>& out) {
        if (first_ == 0) return RecordSorter::take(partition, out, [](codec::Posting&) {});
        RecordSorter::take(partition, out, [first = first_](codec::Posting& posting) {
            posting = posting.counted_from(first);
        });
    }
    std::vector<codec::Posting> take(unsigned partition) {
        std::vector<codec::Posting> postings;
        take(partition, postings);
        return postings;
    }

  private:
    std::uint32_t first_ = 0;
};

}  // namespace fendex::store
