#include "store/sqlite/records/record_blocks.hpp"

#include "codec/packed_position.hpp"
#include "store/sqlite/file/database.hpp"
#include "store/sqlite/sums/seals.hpp"

namespace fendex::store {

namespace {

constexpr char kSelectMerged[] =
    "SELECT first_key, data FROM main.record_block WHERE first_key <= ?1"
    " ORDER BY first_key DESC LIMIT 1";
constexpr char kSelectOfRun[] =
    "SELECT first_key, data FROM main.record_run_block WHERE run = ?1 AND first_key <= ?2"
    " ORDER BY first_key DESC LIMIT 1";

std::uint64_t block_seed(const BlockPlace& place, std::uint64_t first) {
    if (place.is_merged()) {
        return base::checksum_seed({static_cast<std::uint64_t>(Sealed::kRecordBlock), first});
    }
    return base::checksum_seed({static_cast<std::uint64_t>(Sealed::kRecordRunBlock),
                                static_cast<std::uint64_t>(place.run()), first});
}

}  // namespace

void seal_record_block(const BlockPlace& place, std::uint64_t first, std::string& data) {
    base::seal(data, block_seed(place, first));
}

std::optional<std::string_view> unsealed_record_block(const BlockPlace& place, std::uint64_t first,
                                                      std::string_view data) {
    return base::unseal(data, block_seed(place, first));
}

void throw_unreadable_record() {
    throw DamageError("damaged: a record of a position, although its checksum is right");
}

RecordBlocks::RecordBlocks(const Connection& connection)
    : connection_(&connection),
      select_merged_(connection, kSelectMerged),
      select_of_run_(connection, kSelectOfRun) {}

RecordBlocks::Found RecordBlocks::at(const BlockPlace& place, std::uint64_t key) {
    Statement& select = place.is_merged() ? select_merged_ : select_of_run_;
    if (place.is_merged()) {
        select.bind_all(sql_order(key));
    } else {
        select.bind_all(place.run(), sql_order(key));
    }
    if (!select.step()) throw_damaged(place, key);
    Found found;
    found.first = key_of_sql_order(select.integer(0));
    const auto data = unsealed_record_block(place, found.first, select.blob(1));
    if (!data) throw_damaged(place, found.first);
    found.data = *data;
    const auto block = codec::RecordBlock::open(found.data, found.first);
    // If the block with the key is missing, the one before it ends too early.
    if (!block || block->last() < key) throw_damaged(place, found.first);
    found.block = *block;
    return found;
}

void RecordBlocks::release() {
    select_merged_.reset();
    select_of_run_.reset();
}

void RecordBlocks::throw_damaged(const BlockPlace& place, std::uint64_t first) const {
    throw_mismatch(*connection_, place.is_merged() ? "record_block" : "record_run_block",
                   sql_order(first));
}

BlockRecords::BlockRecords(const codec::RecordBlock& block, std::uint64_t first, std::uint64_t from)
    : rest_(block), first_(first), last_(block.last()) {
    advance();
    while (!at_end_ && record_.key < from) advance();
}

void BlockRecords::advance() {
    at_end_ = !rest_.next(record_.bits);
    if (rest_.damaged()) throw_unreadable_record();
    if (at_end_) return;
    const std::uint64_t before = record_.key;
    codec::BitReader bits(record_.bits);
    if (!codec::get_position_key(bits, record_.key) || record_.key < first_ ||
        record_.key > last_ || record_.key < before) {
        throw_unreadable_record();
    }
}

RecordCursor::RecordCursor(RecordBlocks& blocks, const BlockPlace& place, std::uint64_t from)
    : blocks_(blocks), place_(place), from_(from) {
    load();
}

/// Loads the next block that has a record.
void RecordCursor::load() {
    do {
        const RecordBlocks::Found found = blocks_.at(place_, from_);
        const std::uint64_t first = found.first;
        data_.assign(found.data);
        blocks_.release();
        const codec::RecordBlock block = *codec::RecordBlock::open(data_, first);
        records_.emplace(block, first, from_);
        last_ = block.last();
        from_ = last_ + 1;
    } while (records_->current() == nullptr && last_ != kLastKey);
}

void RecordCursor::advance() {
    const std::uint64_t key = current()->key;
    if (passed_ == 0 || key != passed_key_) passed_of_key_ = 0;
    passed_key_ = key;
    ++passed_of_key_;
    ++passed_;
    records_->advance();
    if (records_->current() == nullptr && last_ != kLastKey) load();
}

std::uint64_t RecordCursor::passed_before(std::uint64_t key) const {
    return passed_ == 0 || passed_key_ < key ? passed_ : passed_ - passed_of_key_;
}

}  // namespace fendex::store
