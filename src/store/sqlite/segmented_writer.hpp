// The writer of a SQLite database as those see it who make its index: segments of sorted postings.
// In the writer's thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "store/sqlite/segment_record.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

/// Games that are stored, but whose postings are in no segment: an import was killed before its
/// end. Deleted ones count.
struct UnindexedGames {
    GameId first = 1;
    std::uint64_t games = 0;
};

/// commit() also deletes, in further commits, the blocks of segments that were replaced.
class SegmentedWriter : public StoreWriter {
  public:
    virtual UnindexedGames unindexed() = 0;
    /// Returns the segments of a kind in the order of games.
    virtual std::vector<SegmentRecord> segments(SegmentKind kind) = 0;
    /// The rows of a segment, in key order: they count once put_segments() has been committed.
    virtual std::int64_t begin_segment() = 0;
    virtual void add_block(std::uint64_t first_key, unsigned part, std::string_view data) = 0;
    /// Segments of one kind that take the place of those that have games of theirs.
    virtual void put_segments(std::span<const SegmentRecord> segments) = 0;

    /// The first game whose variations are to be indexed and are not yet: from there on all are. 0
    /// where there is none.
    virtual GameId variations_from() = 0;
    virtual void set_variations_from(GameId game) = 0;
};

}  // namespace fendex::store
