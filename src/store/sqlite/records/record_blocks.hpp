// Blocks of records of positions: the merged ones, and those of runs. Uses the connection of a
// reader or a writer, in its thread and snapshot.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "codec/record_block.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

inline constexpr std::uint64_t kLastKey = std::numeric_limits<std::uint64_t>::max();

/// Where blocks are: the merged ones, or a run.
class BlockPlace {
  public:
    static BlockPlace merged() { return BlockPlace(std::nullopt); }
    static BlockPlace of_run(std::int64_t run) { return BlockPlace(run); }
    bool is_merged() const { return !run_; }
    std::int64_t run() const { return *run_; }

  private:
    explicit BlockPlace(std::optional<std::int64_t> run) : run_(run) {}
    std::optional<std::int64_t> run_;
};

/// Adds the checksum of a block.
void seal_record_block(const BlockPlace& place, std::uint64_t first, std::string& data);
/// Returns a block without its checksum; empty if that does not match.
std::optional<std::string_view> unsealed_record_block(const BlockPlace& place, std::uint64_t first,
                                                      std::string_view data);

/// Throws the error for a record that cannot be read although its block has the right checksum.
[[noreturn]] void throw_unreadable_record();

class RecordBlocks {
  public:
    explicit RecordBlocks(const Connection& connection);

    struct Found {
        std::uint64_t first = 0;
        std::string_view data;  // without its checksum; valid until release()
        codec::RecordBlock block;
    };
    /// Returns the block whose range has a key. Throws StoreError if there is none, or if it is
    /// damaged. release() must follow.
    Found at(const BlockPlace& place, std::uint64_t key);
    void release();
    [[noreturn]] void throw_damaged(const BlockPlace& place, std::uint64_t first) const;

  private:
    const Connection* connection_;
    Statement select_merged_;
    Statement select_of_run_;
};

/// Records in the order of their keys.
class RecordStream {
  public:
    virtual ~RecordStream() = default;
    /// Returns the current record, whose bits are valid until advance(); null at the end.
    virtual const codec::PackedRecord* current() const = 0;
    virtual void advance() = 0;
};

/// The records of a block, whose bytes must stay.
class BlockRecords final : public RecordStream {
  public:
    /// `first` is the first key of its range. If `from` is greater, records before it are skipped.
    /// Throws DamageError if a record is damaged.
    BlockRecords(const codec::RecordBlock& block, std::uint64_t first, std::uint64_t from);

    const codec::PackedRecord* current() const override { return at_end_ ? nullptr : &record_; }
    void advance() override;

  private:
    codec::RecordBlock::Records rest_;
    std::uint64_t first_;
    std::uint64_t last_;
    codec::PackedRecord record_;
    bool at_end_ = false;
};

/// Reads the records of one place from a key on, block by block.
class RecordCursor final : public RecordStream {
  public:
    RecordCursor(RecordBlocks& blocks, const BlockPlace& place, std::uint64_t from);

    const codec::PackedRecord* current() const override { return records_->current(); }
    void advance() override;
    /// Returns how many records with keys below `key` were passed. No passed record may have a key
    /// above.
    std::uint64_t passed_before(std::uint64_t key) const;

  private:
    void load();

    RecordBlocks& blocks_;
    BlockPlace place_;
    std::uint64_t from_;  // the first key that was not read
    std::string data_;
    std::uint64_t last_ = 0;  // of the block's range
    std::optional<BlockRecords> records_;
    std::uint64_t passed_ = 0;
    std::uint64_t passed_of_key_ = 0;
    std::uint64_t passed_key_ = 0;
};

}  // namespace fendex::store
