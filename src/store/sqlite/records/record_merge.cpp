#include "store/sqlite/records/record_merge.hpp"

#include <utility>

#include "store/sqlite/file/database.hpp"
#include "store/sqlite/records/record_streams.hpp"

namespace fendex::store {

namespace {

constexpr char kInsertMerged[] = "INSERT INTO main.record_block(first_key, data) VALUES (?1, ?2)";
constexpr char kRemoveMerged[] = "DELETE FROM main.record_block WHERE first_key = ?1";
/// Removes the blocks before the one whose range has a key.
constexpr char kRemoveOfRun[] =
    "DELETE FROM main.record_run_block WHERE run = ?1 AND first_key <"
    " (SELECT max(first_key) FROM main.record_run_block WHERE run = ?1 AND first_key <= ?2)";
constexpr char kRemoveRun[] = "DELETE FROM main.record_run_block WHERE run = ?1";

}  // namespace

RecordMerge::RecordMerge(Connection& connection, std::size_t piece_bytes)
    : connection_(connection),
      piece_bytes_(piece_bytes),
      blocks_(connection),
      insert_(connection, kInsertMerged),
      remove_(connection, kRemoveMerged),
      remove_of_run_(connection, kRemoveOfRun),
      remove_run_(connection, kRemoveRun) {}

bool RecordMerge::merge_piece(std::vector<RecordRun>& runs, std::int64_t& merged) {
    written_ = 0;
    merged_ = 0;
    begin_runs(runs);
    std::vector<RecordStream*> streams;
    for (RecordCursor& each : cursors_) streams.push_back(&each);
    MergedRecords incoming(std::move(streams));
    const bool more = merge_from(incoming);
    end_runs(runs, more);
    merged += merged_;
    return more;
}

void RecordMerge::begin_runs(const std::vector<RecordRun>& runs) {
    cursors_.clear();
    for (const RecordRun& run : runs) {
        cursors_.emplace_back(blocks_, BlockPlace::of_run(run.id), run.first_key);
    }
}

/// Returns false if everything is merged.
bool RecordMerge::merge_from(RecordStream& incoming) {
    bool is_open = false;
    while (const codec::PackedRecord* const record = incoming.current()) {
        if (!is_open) {
            take_block(record->key);
            out_.begin(first_);
        }
        if (!merge_block(incoming)) return true;
        // The block goes on into the next one, if that changes too. So blocks are full if many of
        // them change.
        is_open = incoming.current() != nullptr && last_ != kLastKey &&
                  take_next_block(*incoming.current());
        if (!is_open) insert(last_);
    }
    return false;
}

/// Removes the merged block that has a key, to write it anew.
void RecordMerge::take_block(std::uint64_t key) {
    const RecordBlocks::Found found = blocks_.at(BlockPlace::merged(), key);
    first_ = found.first;
    last_ = found.block.last();
    merged_ -= static_cast<std::int64_t>(found.block.count());
    data_.assign(found.data);
    blocks_.release();
    remove_.run(sql_order(first_));
}

/// Takes the next block if it has the key of a record.
bool RecordMerge::take_next_block(const codec::PackedRecord& record) {
    const std::uint64_t next_last = blocks_.at(BlockPlace::merged(), last_ + 1).block.last();
    blocks_.release();
    if (record.key > next_last) return false;
    take_block(last_ + 1);
    return true;
}

/// Merges the current block with incoming records. Returns false if the piece ends inside it.
bool RecordMerge::merge_block(RecordStream& incoming) {
    const codec::RecordBlock block = *codec::RecordBlock::open(data_, first_);
    BlockRecords stored(block, first_, first_);
    RecordsUpTo added(incoming, last_);
    MergedRecords both({&stored, &added});
    for (; const codec::PackedRecord* const record = both.current(); both.advance()) {
        if (out_.is_full_before(*record)) {
            insert(record->key - 1);
            out_.begin(record->key);
            if (written_ >= piece_bytes_) {
                keep_rest(block, record->key);
                return false;
            }
        }
        out_.add(*record);
    }
    return true;
}

void RecordMerge::insert(std::uint64_t last) {
    std::string data = out_.close(last);
    seal_record_block(BlockPlace::merged(), out_.first(), data);
    insert_.run(sql_order(out_.first()), Blob{data});
    written_ += data.size();
    merged_ += static_cast<std::int64_t>(out_.count());
}

/// Writes the rest of a block, from `begin` on, as it was.
void RecordMerge::keep_rest(const codec::RecordBlock& block, std::uint64_t begin) {
    BlockRecords rest(block, first_, begin);
    for (; rest.current() != nullptr; rest.advance()) out_.add(*rest.current());
    insert(last_);
    begin_ = begin;
}

void RecordMerge::end_runs(std::vector<RecordRun>& runs, bool more) {
    for (std::size_t i = 0; i < runs.size(); ++i) {
        RecordRun& run = runs[i];
        if (more) {
            remove_of_run_.run(run.id, sql_order(begin_));
            run.records -= cursors_[i].passed_before(begin_);
            run.first_key = begin_;
            put_record_run(connection_, run);
        } else {
            remove_run_.run(run.id);
            remove_record_run(connection_, run.id);
        }
    }
    cursors_.clear();
    if (!more) runs.clear();
}

}  // namespace fendex::store
