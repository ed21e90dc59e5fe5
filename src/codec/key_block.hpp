// Blocks of the position index. A block holds the positions of a range of keys, in key order. It
// has a directory and runs of about a hundred positions, so that a look-up decodes one run only.
//
// How a position is stored depends on how often it occurs. Two thirds of all plies reach a position
// that no other game reached. Such a posting is stored as a singleton: the leading bits of the key
// and a game number. Its ply, next move and the rest of its key are found by replaying that game,
// which must be done anyway before a candidate is reported. A position that a few games reached
// once each is stored as a singleton for each of them. A position with more postings has its whole
// key, and its postings grouped by next move. A position with kBigPosition postings or more has
// only a flag here; its postings are in rows of their own (big_position.hpp).
//
// Decoders check every bound and report damage instead of returning damaged values. Do not change:
// on disk (schema/FORMAT.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bits.hpp"
#include "codec/posting.hpp"

namespace fendex::codec {

/// The largest blob for which a row of table `block` fits into a page of 16,384 bytes. SQLite keeps
/// 16,349 bytes of a row there: 8 describe the columns, 8 are the key, and up to 3 and 2 are the
/// numbers of segment and part.
inline constexpr std::size_t kBlockBytes = 16'328;
inline constexpr std::size_t kBigPosition = 256;
/// A position with at most this many postings, each from a different game, is stored as singletons.
inline constexpr std::size_t kMostSingletons = 3;

/// Parameters that all blocks of a segment share.
struct SegmentShape {
    unsigned key_bits = 0;  // leading bits of the key: they order positions and identify singletons
    std::uint64_t games = 0;  // game numbers are below this
    std::uint64_t seed = 0;   // of the checksums: identifies the segment
    bool checked = true;      // has checksums; false in version 4 of the format

    /// The leading bits of the key, as a key whose other bits are zero.
    std::uint64_t short_key(std::uint64_t key) const {
        return key >> (64 - key_bits) << (64 - key_bits);
    }
};

/// Returns the shape of a segment with this number of postings. Keys have four bits more than are
/// needed to number the postings: a look-up of an absent position gives a false candidate in about
/// one of 30 segments, which costs one replay. A fifth bit would cost a tenth of a byte per ply.
SegmentShape segment_shape(std::uint64_t postings, std::uint64_t games);
/// Returns whether this or an earlier version of the program gives such a segment `key_bits` key
/// bits.
bool fits_postings(std::int64_t key_bits, std::uint64_t postings);

/// An encoded run: the short key of its first position, and its bits.
struct KeyRun {
    std::uint64_t first_key = 0;
    std::string bytes;
};

/// Encodes sorted postings run by run. A run holds whole positions, and no short key is in two
/// runs. Its memory is reused for the next run.
class KeyRunEncoder {
  public:
    explicit KeyRunEncoder(const SegmentShape& shape);

    /// Encodes the run at the front of `sorted`, which must not be empty. Appends the postings of
    /// its big positions to `big`.
    [[nodiscard]] KeyRun encode(std::span<const Posting> sorted, std::vector<Posting>& big);
    /// The numbers of postings and positions in the run that was encoded last.
    std::size_t postings() const { return length_; }
    std::size_t positions() const { return positions_.size(); }

  private:
    struct Position {
        std::uint32_t postings = 0;
        bool singletons = false;
    };

    void cut(std::span<const Posting> sorted);
    void put_gap(std::uint64_t gap, const BitCode& entry);
    void put_list(std::span<const Posting> postings);

    SegmentShape shape_;
    UniformCodes game_codes_;
    std::vector<Position> positions_;  // of the run
    std::uint64_t entries_ = 0;        // of the run
    std::size_t length_ = 0;           // its postings
    unsigned gap_bits_ = 0;            // Rice parameter of the gaps
    BitWriter out_;
};

/// Cuts a run in two, so that the front takes at most `bytes` bytes. Returns the front and leaves
/// the rest in `run`. If a part would be very small, returns nullopt and does not change the run.
[[nodiscard]] std::optional<KeyRun> cut_front(KeyRun& run, std::size_t bytes,
                                              const SegmentShape& shape);

/// The end of the last block of a segment. A short key with all bits set has the same value, so the
/// loss of a block that begins with it may go unnoticed.
inline constexpr std::uint64_t kNoKey = ~std::uint64_t{0};

/// A row that holds a block of a segment. The first row of a segment has the key 0, so that no key
/// comes before it.
struct Block {
    std::uint64_t first_key = 0;
    std::string data;
};

/// Collects runs into the blocks of a segment, in key order.
class BlockBuilder {
  public:
    explicit BlockBuilder(const SegmentShape& shape) : shape_(shape) {}

    /// False if the run does not fit: take() the block first. An empty builder accepts any run.
    [[nodiscard]] bool add(const KeyRun& run);
    bool empty() const { return first_keys_.empty(); }
    /// Returns how many bytes the next run may have at most.
    std::size_t room() const;
    /// `end`: the first short key of the next block, or kNoKey.
    Block take(std::uint64_t end);

  private:
    SegmentShape shape_;
    bool is_first_ = true;  // of the segment
    std::vector<std::uint64_t> first_keys_;
    std::vector<std::size_t> offsets_;
    std::string data_;
};

/// Replaces the checksums of a block by those for the same block in another segment, whose shape
/// differs from `shape` only by `seed`. Returns the key at which the block ends; nothing if it is
/// damaged.
[[nodiscard]] std::optional<std::uint64_t> reseal(std::string& block, std::uint64_t row_key,
                                                  const SegmentShape& shape, std::uint64_t seed);

enum class BlockStatus { kOk, kCorrupt };

/// Result of a look-up.
struct KeyMatch {
    std::vector<std::uint32_t> singletons;  // games of singletons with the same short key
    std::vector<Posting> postings;          // with exactly this key, sorted
    bool big = false;                       // the postings are in rows of their own
};

/// Adds everything that `block` holds for `key` to `out`. `row_key` is the first_key of its row.
/// kOk means that the checksum is right and that no other block of the segment can contain the key.
[[nodiscard]] BlockStatus look_up(std::string_view block, std::uint64_t row_key,
                                  const SegmentShape& shape, std::uint64_t key, KeyMatch& out);

/// A singleton, or a position with all its postings.
struct BlockEntry {
    std::uint64_t key = 0;  // only the short key if it is a singleton
    bool singleton = false;
    bool big = false;
    std::uint32_t game = 0;             // only for a singleton
    std::span<const Posting> postings;  // only if neither singleton nor big
};

/// Calls visit(const BlockEntry&) for every entry of a block, in order.
template <typename Visit>
[[nodiscard]] BlockStatus for_each_entry(std::string_view block, const SegmentShape& shape,
                                         Visit visit);

namespace detail {

/// The directory of a block: 2 bytes of count, 6 of the key at which the block ends, then for each
/// run 6 bytes of key, 2 of offset, 4 of checksum. Version 4 has neither the end nor checksums.
class Directory {
  public:
    Directory(std::string_view block, const SegmentShape& shape);
    bool valid() const { return valid_; }
    std::size_t size() const { return runs_; }
    std::uint64_t first_key(std::size_t run) const;
    /// Short keys of the run are less than this.
    std::uint64_t end_key(std::size_t run) const;
    std::string_view bytes(std::size_t run) const;
    /// True if the run has its checksum and is at the place where it was written. `row_key` is the
    /// key of the block's row.
    bool is_intact(std::size_t run, std::uint64_t row_key) const;
    /// Returns the run's checksum for a segment with this seed.
    std::uint32_t checksum(std::size_t run, std::uint64_t row_key, std::uint64_t seed) const;
    /// Returns where the run's checksum is in the block.
    std::size_t place_of_checksum(std::size_t run) const;

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

/// Decodes a run, one entry at a time.
class KeyRunReader {
  public:
    KeyRunReader(std::string_view bytes, std::uint64_t first_key, const SegmentShape& shape);
    [[nodiscard]] bool next(BlockEntry& out);  // false at the end or on corruption
    bool failed() const { return bits_.failed(); }
    /// Returns how many bits have been read.
    std::size_t position() const { return bits_.position(); }

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
[[nodiscard]] BlockStatus for_each_entry(std::string_view block, const SegmentShape& shape,
                                         Visit visit) {
    const detail::Directory directory(block, shape);
    if (!directory.valid()) return BlockStatus::kCorrupt;
    BlockEntry entry;
    for (std::size_t run = 0; run < directory.size(); ++run) {
        detail::KeyRunReader reader(directory.bytes(run), directory.first_key(run), shape);
        while (reader.next(entry)) visit(entry);
        if (reader.failed()) return BlockStatus::kCorrupt;
    }
    return BlockStatus::kOk;
}

/// The next move of a posting: 13 bits for most moves, and one code for the end of the game.
void put_next_move(chess::Move move, BitWriter& out);
chess::Move get_next_move(BitReader& in);

}  // namespace fendex::codec
