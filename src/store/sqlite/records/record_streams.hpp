// Streams of records that are merged into one: of each position one record, which has what all of
// its records have.
#pragma once

#include <cstdint>
#include <span>
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

    std::vector<RecordStream*> heap_;  // the stream whose record comes first is at the front
    codec::RecordGroup group_;
    std::span<const std::string> left_;  // of the group
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
