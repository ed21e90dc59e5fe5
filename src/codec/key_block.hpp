// Blocks of the position index. A block holds the positions of a range of keys, in key order, cut
// into runs of some hundred positions with a directory in front, so that a look-up decodes one run.
//
// What a position costs depends on how often it occurs. Two thirds of all plies reach a position
// nobody else reached: such a singleton is stored as the leading bits of its key and a game number;
// its ply, next move and the rest of its key come from replaying that game, which a candidate needs
// anyway before it is named. A position with several postings carries its whole key, and its
// postings grouped by next move. A position with kBigPosition postings or more is only flagged here
// and has rows of its own (big_position.hpp).
//
// Decoders check every bound; what is damaged is reported, never believed. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bits.hpp"
#include "codec/posting.hpp"

namespace fendex::codec {

/// A blob of this size just fills a 16 KiB page of SQLite, row header included.
inline constexpr std::size_t kBlockBytes = 16'300;
inline constexpr std::size_t kBigPosition = 256;

/// What all blocks of a segment share.
struct SegmentShape {
    unsigned key_bits = 0;  // leading bits of the key that order positions and stand for singletons
    std::uint64_t games = 0;  // game numbers are below this
    std::uint64_t seed = 0;   // of the checksums: what the segment is
    bool checked = true;      // has checksums: not so in version 4 of the format

    /// The leading bits as a whole key: the rest zero.
    std::uint64_t short_key(std::uint64_t key) const {
        return key >> (64 - key_bits) << (64 - key_bits);
    }
};

/// The shape for that many postings. Eight bits beyond what tells the positions apart: an absent
/// position has a false candidate once in some 256 look-ups, and that costs one replay.
SegmentShape segment_shape(std::uint64_t postings, std::uint64_t games);

/// A run as encoded: the short key of its first position, and its bits.
struct Run {
    std::uint64_t first_key = 0;
    std::string bytes;
};

/// How many of the sorted postings at the front make one run: whole positions, no short key in two
/// runs. 0 for none.
std::size_t run_length(std::span<const Posting> sorted, const SegmentShape& shape);
Run encode_run(std::span<const Posting> sorted, const SegmentShape& shape);

/// No block follows. A short key in which all bits are set is taken for this one: then the block
/// that begins with it may be lost without notice.
inline constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

/// A row of a segment that holds a block. The first row of a segment has the key 0, so that no key
/// is before it.
struct Block {
    std::uint64_t first_key = 0;
    std::string data;
};

/// Collects runs into the blocks of a segment, in key order.
class BlockBuilder {
  public:
    explicit BlockBuilder(const SegmentShape& shape) : shape_(shape) {}

    /// False where the run does not fit any more: take() the block first. An empty builder takes
    /// any.
    bool add(const Run& run);
    bool empty() const { return first_keys_.empty(); }
    /// `end`: the first short key of the block that follows, kNoKey for none.
    Block take(std::uint64_t end);

  private:
    SegmentShape shape_;
    bool is_first_ = true;  // of the segment
    std::vector<std::uint64_t> first_keys_;
    std::vector<std::size_t> offsets_;
    std::string data_;
};

enum class BlockStatus { kOk, kCorrupt };

/// What a look-up found for a key.
struct KeyMatch {
    std::vector<std::uint32_t> singletons;  // games whose one position shares the short key
    std::vector<Posting> postings;          // of exactly this key, sorted
    bool big = false;                       // the postings are in rows of their own
};

/// Adds what `block` holds for `key` to `out`. `row_key` is the first_key of its row. kOk says that
/// the checksum is right and that no other block of the segment can have the key.
BlockStatus look_up(std::string_view block, std::uint64_t row_key, const SegmentShape& shape,
                    std::uint64_t key, KeyMatch& out);

/// A position of a block, decoded.
struct BlockEntry {
    std::uint64_t key = 0;  // of a singleton only the short key
    bool singleton = false;
    bool big = false;
    std::uint32_t game = 0;             // of a singleton
    std::span<const Posting> postings;  // of the others that are not big
};

/// Calls visit(const BlockEntry&) for every position of a block, in order.
template <typename Visit>
BlockStatus for_each_entry(std::string_view block, const SegmentShape& shape, Visit visit);

namespace detail {

/// The directory of a block: 2 bytes of count, 6 of the key at which the block ends, then per run 6
/// bytes of key, 2 of offset, 4 of checksum. Version 4 has neither end nor checksums.
class Directory {
  public:
    Directory(std::string_view block, const SegmentShape& shape);
    bool valid() const { return valid_; }
    std::size_t size() const { return runs_; }
    std::uint64_t first_key(std::size_t run) const;
    /// Short keys of the run are below this.
    std::uint64_t end_key(std::size_t run) const;
    std::string_view bytes(std::size_t run) const;
    /// Whether the run is as it was written, at the place where it was. `row_key`: of the block's
    /// row.
    bool is_intact(std::size_t run, std::uint64_t row_key) const;

  private:
    std::size_t entry(std::size_t run) const { return header_ + run * entry_; }
    std::size_t offset(std::size_t run) const;

    std::string_view block_;
    std::uint64_t seed_;
    bool checked_;
    std::size_t header_;
    std::size_t entry_;
    std::size_t runs_ = 0;
    bool valid_ = false;
};

/// Decodes a run position by position.
class RunReader {
  public:
    RunReader(std::string_view bytes, std::uint64_t first_key, const SegmentShape& shape);
    bool next(BlockEntry& out);  // false at the end or on corruption
    bool failed() const { return bits_.failed(); }

  private:
    void read_postings(std::uint64_t key);

    BitReader bits_;
    SegmentShape shape_;
    std::uint64_t short_;  // the short key, as a number of key_bits bits
    std::uint64_t left_;
    unsigned gap_bits_;
    bool first_ = true;
    std::vector<Posting> postings_;
};

}  // namespace detail

template <typename Visit>
BlockStatus for_each_entry(std::string_view block, const SegmentShape& shape, Visit visit) {
    const detail::Directory directory(block, shape);
    if (!directory.valid()) return BlockStatus::kCorrupt;
    BlockEntry entry;
    for (std::size_t run = 0; run < directory.size(); ++run) {
        detail::RunReader reader(directory.bytes(run), directory.first_key(run), shape);
        while (reader.next(entry)) visit(entry);
        if (reader.failed()) return BlockStatus::kCorrupt;
    }
    return BlockStatus::kOk;
}

/// A move as stored with postings: 13 bits for most, and one code for the game's end.
void put_next_move(chess::Move move, BitWriter& out);
chess::Move get_next_move(BitReader& in);

}  // namespace fendex::codec
