// The writer of a SQLite database, for code that builds its index of sorted postings in segments.
// Call it in the writer's thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "store/sqlite/sums/segment_record.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

/// Stored games whose postings are in no segment, because an import was killed. Includes deleted
/// games.
struct UnindexedGames {
    GameId first = 1;
    std::uint64_t games = 0;
};

/// commit() also deletes the blocks of segments that were replaced, in further commits.
class SegmentedWriter : public StoreWriter {
  public:
    virtual UnindexedGames unindexed() = 0;
    /// Returns the segments of a kind in the order of games.
    virtual std::vector<SegmentRecord> segments(SegmentKind kind) = 0;
    // These begin a segment and add its rows, roughly in key order. The rows are used only after
    // put_segments() was committed.
    virtual std::int64_t begin_segment() = 0;
    virtual void add_block(std::uint64_t first_key, unsigned part, std::string_view data) = 0;
    /// Adds segments of one kind and removes those with the same games.
    virtual void put_segments(std::span<const SegmentRecord> segments) = 0;

    /// Returns the game from which on variations must still be indexed; 0 if there is none.
    virtual GameId variations_from() = 0;
    virtual void set_variations_from(GameId game) = 0;
};

}  // namespace fendex::store
