// The writer of a SQLite database, for code that builds its index of sorted postings in segments,
// and for its upkeep. Call it in the writer's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "store/game_range.hpp"
#include "store/sqlite/sums/segment_record.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

/// Stored games whose postings are in no segment, because an import was killed. Includes deleted
/// games.
struct UnindexedGames {
    GameId first = 1;
    std::uint64_t games = 0;
};

/// Maintenance of a database, which does not change the results of queries.
struct Maintenance {
    enum class Phase { kIndexing, kVacuum };

    /// Rebuilds the whole index from the committed games, in as few segments as possible.
    bool reindex = false;
    /// With reindex: the games whose variations are indexed; if empty, those indexed now.
    std::optional<std::vector<GameRange>> variations = {};
    /// Removes the ply rows and frees their space.
    bool drop_ply_rows = false;
    /// Returns free space to the file system. Temporary files are created beside the database.
    bool vacuum = false;
    unsigned threads = 1;
    std::size_t memory_bytes = std::size_t{1} << 30;
    /// Called from time to time in the calling thread. If they throw, the work ends.
    std::function<bool()> stop = {};
    std::function<void(Phase phase, double share)> progress = {};
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
    /// Adds the row of fine sums (segments/fine_sum_table.hpp) of a big position.
    virtual void add_fine_sums(std::uint64_t key, std::string_view row) = 0;
    /// Gives up a segment that was begun: the next commit removes its rows.
    virtual void give_up_segment(std::int64_t id) = 0;
    /// Adds segments of one kind and removes those with the same games.
    virtual void put_segments(std::span<const SegmentRecord> segments) = 0;

    /// Returns the game from which on variations must still be indexed; 0 if there is none.
    virtual GameId variations_from() = 0;
    virtual void set_variations_from(GameId game) = 0;

    /// Adds rows of table `ply` for stored games that have none.
    virtual void add_ply_rows(std::span<const GamePlyRows> games, const PlyRowList& rows) = 0;
    /// Does what is requested and commits it. Returns false if request.stop() has ended it;
    /// committed work stays, and the rest is undone.
    [[nodiscard]] virtual bool maintain(const Maintenance& request) = 0;
};

}  // namespace fendex::store
