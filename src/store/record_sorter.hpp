// Sorts more records than fit in memory. Any number of threads add records, which go to partitions
// by the top bits of their keys. Records that exceed the memory go to a temporary file, partition
// by partition. Each partition is sorted when it is taken. So every record is written at most once,
// read at most once, and sorted in cache.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "store/block_memory.hpp"
#include "store/record_sort.hpp"
#include "store/spill_file.hpp"

namespace fendex::store {

template <SortableRecord Record>
class RecordSorter {
  public:
    static constexpr unsigned kPartitionBits = 8;
    static constexpr unsigned kPartitions = 1U << kPartitionBits;

    /// `feeders` is the number of threads that will add records. `directory` is the directory of
    /// the temporary file.
    RecordSorter(std::size_t memory_bytes, unsigned feeders, std::string directory)
        : memory_bytes_(memory_bytes),
          buffer_records_(std::clamp(memory_bytes / kPartitions / 8 / std::max(feeders, 1U),
                                     kMinBufferBytes, kMaxBufferBytes) /
                          sizeof(Record)),
          partitions_(kPartitions),
          file_(std::move(directory)) {
        feeders_.reserve(feeders);
        for (unsigned i = 0; i < feeders; ++i) feeders_.push_back(Feeder(*this));
    }
    RecordSorter(const RecordSorter&) = delete;
    RecordSorter& operator=(const RecordSorter&) = delete;

    /// Adds records; used by one thread at a time. Throws StoreError if the temporary file cannot
    /// be written.
    class Feeder {
      public:
        void add(const Record& record) {
            const std::uint64_t partition = record.key >> (64 - kPartitionBits);
            Open& open = open_[partition];
            if (open.size == open.capacity) sorter_->turn_over(open, partition);
            open.records[open.size++] = record;
            // Records go to many buffers in turn, so fetch the line that this buffer needs next.
            __builtin_prefetch(open.records + open.size + kRecordsPerLine, 1);
        }

      private:
        friend class RecordSorter;
        struct Open {
            Record* records = nullptr;
            std::size_t size = 0;
            std::size_t capacity = 0;
        };
        static constexpr std::size_t kRecordsPerLine = 64 / sizeof(Record);
        explicit Feeder(RecordSorter& sorter) : sorter_(&sorter), open_(kPartitions) {}
        RecordSorter* sorter_;
        std::vector<Open> open_;
    };
    Feeder& feeder(unsigned index) { return feeders_[index]; }

    /// Must be called after the last add(). Returns the number of records.
    std::uint64_t close() {
        for (Feeder& feeder : feeders_) {
            for (unsigned p = 0; p < kPartitions; ++p) {
                typename Feeder::Open& open = feeder.open_[p];
                if (open.size != 0) {
                    partitions_[p].buffers.emplace_back(open.records, open.size);
                    partitions_[p].size += open.size;
                }
                open = {};
            }
        }
        std::uint64_t total = 0;
        for (const Partition& partition : partitions_) total += partition.size;
        return total;
    }
    /// Returns the number of records of a partition that take() will return. Must be called after
    /// close().
    std::size_t partition_size(unsigned partition) const { return partitions_[partition].size; }
    /// Removes all records, so that others can be sorted, but keeps the memory. No other thread may
    /// use the sorter during the call.
    void clear() {
        for (Feeder& feeder : feeders_) {
            std::ranges::fill(feeder.open_, typename Feeder::Open{});
        }
        for (Partition& partition : partitions_) partition.clear();
        memory_.reuse();
        bytes_in_memory_ = 0;
        largest_ = 0;
        file_.clear();
    }
    /// Returns the number of records in the largest partition, without those in buffers that are
    /// being filled. Any thread.
    std::size_t largest_partition() const { return largest_; }

    /// Replaces `out` with the sorted records of a partition. Each partition may be taken once;
    /// several threads may take different partitions at once. `adjust` may change the rest of each
    /// record before the records are sorted. Throws StoreError if the temporary file cannot be
    /// read.
    template <typename Adjust>
    void take(unsigned partition, std::vector<Record>& out, Adjust adjust) {
        Partition& source = partitions_[partition];
        out.resize(source.size);
        if (source.spilled.empty()) {
            RadixSort<Record>::sort_into(out, source.buffers, kPartitionBits, adjust);
        } else {
            read_all(source, out.data());
            for (Record& record : out) adjust(record);
            sort_records(out);
        }
        source.clear();
    }
    std::vector<Record> take(unsigned partition) {
        std::vector<Record> records;
        take(partition, records, [](Record&) {});
        return records;
    }

  private:
    static constexpr std::size_t kMinBufferBytes = 2 * 1024;
    static constexpr std::size_t kMaxBufferBytes = 32 * 1024;

    using Buffer = std::span<const Record>;
    struct Spilled {
        std::uint64_t offset = 0;
        std::size_t size = 0;  // in records
    };
    struct Partition {
        std::mutex mutex;
        std::vector<Buffer> buffers;
        std::vector<Spilled> spilled;
        std::size_t size = 0;  // number of records in both

        void clear() {
            buffers = std::vector<Buffer>();
            spilled = std::vector<Spilled>();
            size = 0;
        }
    };

    /// Copies the records of a partition, unsorted, to `out`.
    void read_all(const Partition& source, Record* out) const {
        for (const Buffer& buffer : source.buffers) {
            out = std::copy(buffer.begin(), buffer.end(), out);
        }
        for (const Spilled& spilled : source.spilled) {
            file_.read(spilled.offset, out, spilled.size * sizeof(Record));
            out += spilled.size;
        }
    }

    /// Moves a full buffer to its partition and replaces it with an empty one.
    void turn_over(typename Feeder::Open& open, std::uint64_t partition) {
        if (open.size != 0) store_buffer(open, partitions_[partition]);
        if (open.records == nullptr) {
            // Small imports touch every partition but fill none, so the first buffer is small.
            open.capacity = open.capacity == 0 ? kMinBufferBytes / sizeof(Record) : buffer_records_;
            open.records = static_cast<Record*>(memory_.take(open.capacity * sizeof(Record)));
            bytes_in_memory_ += open.capacity * sizeof(Record);
        }
        open.size = 0;
    }

    void store_buffer(typename Feeder::Open& open, Partition& target) {
        std::size_t size = 0;
        if (bytes_in_memory_ < memory_bytes_) {
            const std::lock_guard lock(target.mutex);
            target.buffers.emplace_back(std::exchange(open.records, nullptr), open.size);
            size = target.size += open.size;
        } else {
            const std::uint64_t offset = file_.append(open.records, open.size * sizeof(Record));
            const std::lock_guard lock(target.mutex);
            target.spilled.push_back({offset, open.size});
            size = target.size += open.size;
        }
        for (std::size_t largest = largest_; size > largest;) {
            if (largest_.compare_exchange_weak(largest, size)) break;
        }
    }

    std::size_t memory_bytes_;
    std::size_t buffer_records_;
    BlockMemory memory_;  // of the buffers
    std::vector<Feeder> feeders_;
    std::vector<Partition> partitions_;
    std::atomic<std::size_t> bytes_in_memory_{0};
    std::atomic<std::size_t> largest_{0};  // the size of the largest partition
    SpillFile file_;
};

}  // namespace fendex::store
