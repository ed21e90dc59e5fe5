// Sorts more records than memory holds. As records come, any number of threads put them into
// partitions by the top bits of their key. What exceeds the memory goes to a temporary file,
// partition by partition. Each partition is sorted when it is taken. So every record is written out
// at most once, read back at most once, and sorted in cache.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "store/record_sort.hpp"
#include "store/spill_file.hpp"

namespace fendex::store {

template <SortableRecord Record>
class RecordSorter {
  public:
    static constexpr unsigned kPartitions = 256;

    /// `feeders` is the number of threads that will add, `directory` the place of the temporary
    /// file.
    RecordSorter(std::size_t memory_bytes, unsigned feeders, std::string directory)
        : memory_bytes_(memory_bytes),
          buffer_records_(std::clamp(memory_bytes / (std::size_t{feeders} * kPartitions * 8),
                                     kMinBufferBytes, kMaxBufferBytes) /
                          sizeof(Record)),
          partitions_(kPartitions),
          file_(std::move(directory)) {
        feeders_.reserve(feeders);
        for (unsigned i = 0; i < feeders; ++i) feeders_.push_back(Feeder(*this));
    }
    RecordSorter(const RecordSorter&) = delete;
    RecordSorter& operator=(const RecordSorter&) = delete;

    /// Each is used by one thread at a time. Throws StoreError if the temporary file cannot be
    /// written.
    class Feeder {
      public:
        void add(const Record& record) {
            Open& open = open_[record.key >> 56];
            if (open.size == open.capacity) sorter_->turn_over(open, record.key >> 56);
            open.records[open.size++] = record;
        }

      private:
        friend class RecordSorter;
        struct Open {
            std::unique_ptr<Record[]> records;
            std::size_t size = 0;
            std::size_t capacity = 0;
        };
        explicit Feeder(RecordSorter& sorter) : sorter_(&sorter), open_(kPartitions) {}
        RecordSorter* sorter_;
        std::vector<Open> open_;
    };
    Feeder& feeder(unsigned index) { return feeders_[index]; }

    /// Call it after the last add(). Returns the number of records.
    std::uint64_t close() {
        for (Feeder& feeder : feeders_) {
            for (unsigned p = 0; p < kPartitions; ++p) {
                typename Feeder::Open& open = feeder.open_[p];
                if (open.size != 0) {
                    partitions_[p].buffers.push_back({std::move(open.records), open.size});
                }
                open = {};
            }
        }
        std::uint64_t total = 0;
        for (const Partition& partition : partitions_) total += partition.size();
        return total;
    }

    /// Returns the sorted records of a partition; each may be taken once. Distinct partitions may
    /// be taken by distinct threads. `adjust` may change the rest of each record before they are
    /// sorted. Throws StoreError if the temporary file cannot be read.
    template <typename Adjust>
    std::vector<Record> take(unsigned partition, Adjust adjust) {
        Partition& source = partitions_[partition];
        std::vector<Record> records;
        if (source.spilled.empty()) {
            std::vector<std::span<const Record>> places;
            for (const Buffer& buffer : source.buffers) {
                places.emplace_back(buffer.records.get(), buffer.size);
            }
            records.resize(source.size());
            RadixSort<Record>::sort_into(records, places, adjust,
                                         [&](std::size_t i) { source.buffers[i].records.reset(); });
        } else {
            records = read_all(source);
            for (Record& record : records) adjust(record);
            sort_records(records);
        }
        source.buffers = std::vector<Buffer>();
        source.spilled = std::vector<Spilled>();
        return records;
    }
    std::vector<Record> take(unsigned partition) {
        return take(partition, [](Record&) {});
    }

  private:
    static constexpr std::size_t kMinBufferBytes = 2 * 1024;
    static constexpr std::size_t kMaxBufferBytes = 32 * 1024;

    struct Buffer {
        std::unique_ptr<Record[]> records;
        std::size_t size = 0;
    };
    struct Spilled {
        std::uint64_t offset = 0;
        std::size_t size = 0;  // in records
    };
    struct Partition {
        std::mutex mutex;
        std::vector<Buffer> buffers;
        std::vector<Spilled> spilled;

        std::size_t size() const {
            std::size_t total = 0;
            for (const Buffer& buffer : buffers) total += buffer.size;
            for (const Spilled& each : spilled) total += each.size;
            return total;
        }
    };

    /// Returns the records of a partition, unsorted.
    std::vector<Record> read_all(Partition& source) {
        std::vector<Record> records;
        records.reserve(source.size());
        for (Buffer& buffer : source.buffers) {
            records.insert(records.end(), buffer.records.get(), buffer.records.get() + buffer.size);
            buffer.records.reset();
        }
        for (const Spilled& spilled : source.spilled) {
            const std::size_t begin = records.size();
            records.resize(begin + spilled.size);
            file_.read(spilled.offset, records.data() + begin, spilled.size * sizeof(Record));
        }
        return records;
    }

    /// Moves a full buffer to its partition and replaces it with an empty one.
    void turn_over(typename Feeder::Open& open, std::uint64_t partition) {
        if (open.size != 0) store_buffer(open, partitions_[partition]);
        if (!open.records) {
            // Small imports touch every partition but fill none: begin small.
            open.capacity = open.capacity == 0 ? kMinBufferBytes / sizeof(Record) : buffer_records_;
            open.records = std::make_unique_for_overwrite<Record[]>(open.capacity);
            bytes_in_memory_ += open.capacity * sizeof(Record);
        }
        open.size = 0;
    }

    void store_buffer(typename Feeder::Open& open, Partition& target) {
        if (bytes_in_memory_ < memory_bytes_) {
            const std::lock_guard lock(target.mutex);
            target.buffers.push_back({std::move(open.records), open.size});
        } else {
            const std::uint64_t offset =
                file_.append(open.records.get(), open.size * sizeof(Record));
            const std::lock_guard lock(target.mutex);
            target.spilled.push_back({offset, open.size});
        }
    }

    std::size_t memory_bytes_;
    std::size_t buffer_records_;
    std::vector<Feeder> feeders_;
    std::vector<Partition> partitions_;
    std::atomic<std::size_t> bytes_in_memory_{0};
    SpillFile file_;
};

}  // namespace fendex::store
