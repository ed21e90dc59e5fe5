// One segment: do its blocks hold the postings that its games have, no more and no fewer, and are
// the sums of its big positions right? Compared partition by partition (those of the posting
// sorter, by the top bits of the key), which threads may do side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "check/damage.hpp"
#include "check/game_set.hpp"
#include "codec/posting.hpp"
#include "store/sqlite/audit.hpp"

namespace fendex::check {

/// What the blocks of a partition hold.
struct PartitionTotals {
    std::uint64_t postings = 0;
    std::uint64_t positions = 0;
    Findings findings;
};

class SegmentCheck {
  public:
    /// The segment's numbers must have been found sensible. Postings of deleted games may be there;
    /// of damaged ones nothing is said. The sets must outlive the check.
    SegmentCheck(const store::AuditedSegment& segment, const codec::SegmentShape& shape,
                 const GameSet& deleted, const GameSet& damaged);

    /// `expected`: the sorted postings of the partition, by games that are neither.
    PartitionTotals partition(store::Audit& audit, unsigned partition,
                              const std::vector<codec::Posting>& expected) const;

  private:
    std::int64_t id_;
    store::GameId first_game_;
    codec::SegmentShape shape_;
    const GameSet& deleted_;
    const GameSet& damaged_;

    friend class PartitionCheck;
};

}  // namespace fendex::check
