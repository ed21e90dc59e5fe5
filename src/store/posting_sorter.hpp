// Sorts more postings than memory holds. Postings are dealt into partitions by the top bits of
// their key as they come, by any number of threads at once; what is beyond the memory allowed goes
// to an unlinked temporary file, partition by partition. Each partition is sorted when it is taken.
// So every posting is written out at most once, read back at most once, and sorted in cache.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "codec/posting.hpp"

namespace fendex::store {

class PostingSorter {
  public:
    static constexpr unsigned kPartitions = 256;

    /// `feeders`: how many threads will add. `directory`: where the temporary file goes.
    PostingSorter(std::size_t memory_bytes, unsigned feeders, std::string directory);
    ~PostingSorter();
    PostingSorter(const PostingSorter&) = delete;
    PostingSorter& operator=(const PostingSorter&) = delete;

    /// For one thread at a time each. Throws StoreError where the temporary file cannot be written.
    class Feeder {
      public:
        void add(const codec::Posting& posting) {
            Open& open = open_[posting.key >> 56];
            if (open.size == open.capacity) sorter_->turn_over(open, posting.key >> 56);
            open.postings[open.size++] = posting;
        }

      private:
        friend class PostingSorter;
        struct Open {
            std::unique_ptr<codec::Posting[]> postings;
            std::size_t size = 0;
            std::size_t capacity = 0;
        };
        explicit Feeder(PostingSorter& sorter) : sorter_(&sorter), open_(kPartitions) {}
        PostingSorter* sorter_;
        std::vector<Open> open_;
    };
    Feeder& feeder(unsigned index) { return feeders_[index]; }

    /// After the last add(): how many there are. Games are counted from `first` in what take()
    /// gives.
    std::uint64_t close(std::uint32_t first = 0);
    /// The sorted postings of a partition; each may be taken once. Distinct partitions may be taken
    /// by distinct threads. Throws StoreError where the temporary file cannot be read.
    std::vector<codec::Posting> take(unsigned partition);

  private:
    struct Chunk {
        std::unique_ptr<codec::Posting[]> postings;
        std::size_t size = 0;
    };
    struct Extent {
        std::uint64_t offset = 0;
        std::size_t size = 0;  // in postings
    };
    struct Partition {
        std::mutex mutex;
        std::vector<Chunk> chunks;
        std::vector<Extent> spilled;
    };

    void turn_over(Feeder::Open& open, std::uint64_t partition);
    void store_chunk(Feeder::Open& open, std::uint64_t partition);
    Extent spill(const codec::Posting* postings, std::size_t size);

    std::size_t memory_bytes_;
    std::size_t chunk_postings_;
    std::string directory_;
    std::vector<Feeder> feeders_;
    std::vector<Partition> partitions_;
    std::uint32_t first_ = 0;
    std::atomic<std::size_t> bytes_in_memory_{0};
    std::mutex file_mutex_;
    int file_ = -1;
    std::atomic<std::uint64_t> file_size_{0};
};

/// Sorts by (key, next move, game, ply): a radix sort, for keys are evenly spread.
void sort_postings(std::vector<codec::Posting>& postings);

}  // namespace fendex::store
