// The writer of a SQLite database for code that builds its index: segments of sorted postings. Call
// it in the writer's thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "store/sqlite/segment_record.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

/// Stored games whose postings are in no segment, because an import was killed. Includes deleted
/// games.
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
    /// Begin a segment and add its rows, roughly in key order. They are used once put_segments()
    /// has been committed.
    virtual std::int64_t begin_segment() = 0;
    virtual void add_block(std::uint64_t first_key, unsigned part, std::string_view data) = 0;
    /// Adds segments of one kind and removes those with the same games.
    virtual void put_segments(std::span<const SegmentRecord> segments) = 0;

    /// Returns the first game from which on variations are still to be indexed; 0 if there is none.
    virtual GameId variations_from() = 0;
    virtual void set_variations_from(GameId game) = 0;
};

}  // namespace fendex::store
