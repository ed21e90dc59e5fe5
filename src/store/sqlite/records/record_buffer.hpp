// Records that wait in memory to become a run. One thread.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "store/block_memory.hpp"
#include "store/record_sorter.hpp"
#include "store/records.hpp"
#include "store/sqlite/records/record_blocks.hpp"

namespace fendex::store {

/// A record in the buffer: its key, and where its size and bits are.
struct WaitingRecord {
    std::uint64_t key = 0;
    std::uint64_t rest = 0;
};

class RecordBuffer {
  public:
    RecordBuffer() : sorter_(kNoLimit, 1, {}) {}

    void add(const NewGames& batch);
    std::uint64_t size() const { return size_; }
    /// Returns the memory that the records take.
    std::size_t bytes() const { return bytes_; }
    void clear();

    /// The records in the order of their keys. The buffer is empty afterwards.
    class Stream final : public RecordStream {
      public:
        explicit Stream(RecordBuffer& buffer);
        ~Stream() override { buffer_.clear(); }
        Stream(const Stream&) = delete;
        Stream& operator=(const Stream&) = delete;

        const codec::PackedRecord* current() const override {
            return next_ < sorted_.size() ? &record_ : nullptr;
        }
        void advance() override;

      private:
        void settle();

        RecordBuffer& buffer_;
        unsigned partition_ = 0;
        std::vector<WaitingRecord> sorted_;
        std::size_t next_ = 0;
        codec::PackedRecord record_;
    };

  private:
    /// Nothing goes to a file: the caller makes a run of the records in time.
    static constexpr std::size_t kNoLimit = std::size_t{1} << 40;

    const char* keep(std::string_view bits);

    BlockMemory memory_;
    char* free_ = nullptr;
    std::size_t left_ = 0;
    RecordSorter<WaitingRecord> sorter_;
    std::uint64_t size_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace fendex::store
