// Checks one segment: its blocks must hold exactly the postings of its games, and the sums of its
// big positions must be right. Partitions (those of the posting sorter, by the top bits of the key)
// are compared one by one; different threads may compare different partitions.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/posting.hpp"
#include "store/sqlite/repair/raw_rows.hpp"
#include "upkeep/damage.hpp"
#include "upkeep/marked_games.hpp"

namespace fendex::upkeep {

/// Numbers and findings of a partition's blocks.
struct PartitionTotals {
    std::uint64_t postings = 0;
    /// The blocks have at most this number of distinct positions, and at least `unsure` less: a
    /// singleton of a deleted or damaged game may be of the same position as another singleton with
    /// its short key.
    std::uint64_t positions = 0;
    std::uint64_t unsure = 0;
    Findings findings;
};

/// A segment whose numbers are valid (usable_segments()). Postings of deleted games are allowed;
/// those of damaged games are ignored.
struct CheckedSegment {
    std::int64_t id;
    store::GameId first_game;
    codec::SegmentShape shape;
    const MarkedGames& deleted;
    const MarkedGames& damaged;
};

/// `expected`: the sorted postings of the partition, without those of deleted and damaged games.
PartitionTotals check_partition(const CheckedSegment& segment, store::RawRows& raw_rows,
                                unsigned partition, const std::vector<codec::Posting>& expected);

}  // namespace fendex::upkeep
