// Streams of records that are merged into one: of each position one record, which has what all of
// its records have.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "store/sqlite/records/record_blocks.hpp"

namespace fendex::store {

class MergedRecords final : public RecordStream {
  public:
    /// The streams must stay.
    explicit MergedRecords(std::vector<RecordStream*> streams);

    const codec::PackedRecord* current() const override { return at_end_ ? nullptr : &record_; }
    void advance() override;

  private:
    void take_group();
    void add(std::string_view bits);

    std::vector<RecordStream*> heap_;  // the stream whose record comes first is at the front
    /// The records of one key, of which there are rarely two positions.
    std::vector<std::string> group_;
    std::size_t in_group_ = 0;
    std::size_t next_ = 0;
    codec::RecordMerger merger_;
    std::string merged_;
    codec::PackedRecord record_;
    bool at_end_ = false;
};

/// The records of a stream up to a key. The stream stays at the first record after it.
class RecordsUpTo final : public RecordStream {
  public:
    RecordsUpTo(RecordStream& stream, std::uint64_t last) : stream_(stream), last_(last) {}

    const codec::PackedRecord* current() const override {
        const codec::PackedRecord* const record = stream_.current();
        return record != nullptr && record->key <= last_ ? record : nullptr;
    }
    void advance() override { stream_.advance(); }

  private:
    RecordStream& stream_;
    std::uint64_t last_;
};

}  // namespace fendex::store
