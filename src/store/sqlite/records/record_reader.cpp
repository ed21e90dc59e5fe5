#include "store/sqlite/records/record_reader.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "codec/packed_position.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/records/record_streams.hpp"

namespace fendex::store {

namespace {

/// Ends the statements that hold a found block.
class ReleaseAtEnd {
  public:
    explicit ReleaseAtEnd(RecordBlocks& blocks) : blocks_(blocks) {}
    ~ReleaseAtEnd() { blocks_.release(); }
    ReleaseAtEnd(const ReleaseAtEnd&) = delete;
    ReleaseAtEnd& operator=(const ReleaseAtEnd&) = delete;

  private:
    RecordBlocks& blocks_;
};

}  // namespace

void RecordReader::load() {
    blocks_.reset();
    runs_.clear();
    merged_ = 0;
    if (!has_record_tables(connection_)) return;
    blocks_.emplace(connection_);
    merged_ = merged_records(connection_);
    runs_ = record_runs(connection_);
}

std::uint64_t RecordReader::count() const {
    std::uint64_t sum = merged_;
    for (const RecordRun& run : runs_) sum += run.records;
    return sum;
}

void RecordReader::for_each_record(const chess::AnyPosition& position, const Use& use) {
    if (!blocks_) return;
    const std::uint64_t key = position.key();
    const codec::PositionBits bits(position);
    const auto look_into = [&](const BlockPlace& place) {
        const ReleaseAtEnd release(*blocks_);
        const RecordBlocks::Found block = blocks_->at(place, key);
        const std::string_view record = block.block.find(key, bits);
        if (record.empty()) return;
        codec::BitReader reader(record, bits.size());
        if (!use(reader)) blocks_->throw_damaged(place, block.first);
    };
    look_into(BlockPlace::merged());
    for (const RecordRun& run : runs_) {
        if (key >= run.first_key) look_into(BlockPlace::of_run(run.id));
    }
}

void RecordReader::for_each_from(std::uint64_t key, const Visit& visit) {
    if (!blocks_) return;
    // A set of statements of its own, so that visit() may call find().
    RecordBlocks blocks(connection_);
    std::deque<RecordCursor> cursors;
    cursors.emplace_back(blocks, BlockPlace::merged(), key);
    for (const RecordRun& run : runs_) {
        cursors.emplace_back(blocks, BlockPlace::of_run(run.id), std::max(key, run.first_key));
    }
    std::vector<RecordStream*> streams;
    streams.reserve(cursors.size());
    for (RecordCursor& each : cursors) streams.push_back(&each);
    MergedRecords records(std::move(streams));
    chess::AnyPosition position;
    codec::PositionRecord record;
    for (; records.current() != nullptr; records.advance()) {
        if (!codec::unpack_record(records.current()->bits, position, record)) {
            throw_unreadable_record();
        }
        if (!visit(position, record)) return;
    }
}

}  // namespace fendex::store
