// A block of records of positions, in the order of their keys. It says which range of keys it
// covers, so that a position that is not in it is in no other block. A directory by key leads to a
// few records, whose positions are compared bit by bit. Decoders check every bound. Do not change:
// on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/packed_searches.hpp"
#include "codec/position_record.hpp"

namespace fendex::codec {

/// A block is closed before it would be longer, unless it has only one record or records of one
/// key. Four fit into a page; a look-up takes half the time of one in a block of a whole page,
/// whose checksum it would have to compute.
inline constexpr std::size_t kRecordBlockBytes = 4'060;

/// A record in packed form: its position, then the rest.
struct PackedRecord {
    std::uint64_t key = 0;
    std::string_view bits;
};

/// Packs a record. `scratch` is only reused memory.
void pack_record(const chess::AnyPosition& position, const PositionRecord& record,
                 BitWriter& scratch, std::string& out);
/// Unpacks a record. Returns false if it is damaged.
[[nodiscard]] bool unpack_record(std::string_view bits, chess::AnyPosition& position,
                                 PositionRecord& record);
/// Packs a record whose searches are packed.
void pack_record(const chess::AnyPosition& position, PackedSearches& searches,
                 const std::vector<chess::EpdOperation>& operations, BitWriter& scratch,
                 std::string& out);

/// Merges packed records. One thread at a time.
class RecordMerger {
  public:
    /// Writes the record of two of the same position to `out`, which is neither of them. Returns
    /// false if one is damaged.
    [[nodiscard]] bool merge(std::string_view a, std::string_view b, std::string& out);

  private:
    PackedSearches of_a_;
    PackedSearches of_b_;
    BitWriter writer_;
};

/// Returns whether two packed records are of the same position. False if one is damaged.
[[nodiscard]] bool are_of_one_position(std::string_view a, std::string_view b);

/// The packed records of one key, of which there are rarely two positions: one of each position,
/// which has what all of its records have. To be reused for many keys. One thread at a time.
class RecordGroup {
  public:
    void clear() { size_ = 0; }
    /// Returns false if the record or one of the same position is damaged.
    [[nodiscard]] bool add(std::string_view bits);
    /// Returns the records in the order of their bytes; valid until the next call.
    std::span<const std::string> sorted();

  private:
    RecordMerger merger_;
    std::vector<std::string> records_;
    std::size_t size_ = 0;  // the strings after these are only reused memory
    std::string merged_;
};

/// The bits of a position, to be compared with those of records.
class PositionBits {
  public:
    explicit PositionBits(const chess::AnyPosition& position);

    /// Returns whether a packed record is of this position.
    bool begin(std::string_view record) const;
    /// Returns their number.
    std::size_t size() const { return size_; }

  private:
    std::string bytes_;
    std::size_t size_;
};

/// Builds blocks. Records must come in the order of keys; of equal keys, in the order of their
/// bytes.
class RecordBlockWriter {
  public:
    /// Begins a block of keys from `first` on.
    void begin(std::uint64_t first) {
        first_ = first;
        records_.clear();
        bytes_.clear();
    }
    void add(const PackedRecord& record);
    std::uint64_t first() const { return first_; }
    std::size_t count() const { return records_.size(); }
    /// Returns whether the block can be closed before a record of this key, and is full with it.
    bool is_full_before(const PackedRecord& record) const;
    /// Closes the block: it has all records with keys up to `last`.
    std::string close(std::uint64_t last) const;

  private:
    struct Placed {
        std::uint64_t key;
        std::size_t offset;
    };

    std::uint64_t first_ = 0;
    std::vector<Placed> records_;
    std::string bytes_;
};

/// Reads a block, whose bytes must stay.
class RecordBlock {
  public:
    /// `first` is the first key of the range. Returns nothing if the block is damaged.
    static std::optional<RecordBlock> open(std::string_view data, std::uint64_t first);

    std::uint64_t last() const { return last_; }
    std::size_t count() const { return count_; }
    /// Returns the packed record of a position with this key; empty if there is none.
    std::string_view find(std::uint64_t key, const PositionBits& position) const;

    /// Reads the records in their order.
    class Records {
      public:
        explicit Records(const RecordBlock& block) : rest_(block.records_), left_(block.count_) {}
        /// Reads the next record without its key. Returns false at the end and if it is damaged.
        bool next(std::string_view& bits);
        bool damaged() const { return damaged_; }
        bool at_end() const { return left_ == 0; }

      private:
        std::string_view rest_;
        std::size_t left_;
        bool damaged_ = false;
    };

  private:
    std::string_view directory_;
    std::string_view records_;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::size_t count_ = 0;
};

}  // namespace fendex::codec
