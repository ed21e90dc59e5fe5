// Removes games from a database: their rows, facts and signatures, and their share in the summaries
// of big positions. Segments keep their postings, which readers skip. Uses the connection of a
// writer, in its thread and transaction. Each object does one removal.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "codec/posting.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/segments/fine_sum_table.hpp"
#include "store/sqlite/segments/segment_reader.hpp"
#include "store/sqlite/sums/name_sum.hpp"
#include "store/sqlite/sums/row_sums.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/deleted_games.hpp"
#include "store/sqlite/tables/game_reader.hpp"
#include "store/sqlite/tables/row_codes.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

class GameRemover {
  public:
    /// `errors` is the checksum of import errors, which are changed.
    GameRemover(Connection& connection, ChunkTables& chunks, RowSum& errors);

    /// Removes games. Skips games after `last_game` and games that were deleted before. Needs 8
    /// bytes of memory for each game, and a bounded amount besides.
    GameSums remove(std::span<const GameId> games, GameId last_game);
    /// Returns the checksum of the removed names, a part of the checksum of all names.
    const LocatedSum& removed_names_sum() const { return removed_names_sum_; }
    /// Returns the ids of the players who were removed with their last games.
    const std::unordered_set<std::int64_t>& removed_players() const { return players_; }

  private:
    void collect(GameId game, const SegmentRecord* segment);
    void update_summaries(const SegmentRecord& segment);
    void update_summary(const SegmentRecord& segment, std::span<const codec::Posting> gone);
    bool subtract(const SegmentRecord& segment, std::span<const codec::Posting> gone,
                  codec::GroupSummary& group);
    void sum_again(const SegmentRecord& segment, std::uint64_t key, unsigned part,
                   codec::GroupSummary& group);
    void sum_finely_again(const SegmentRecord& segment, std::uint64_t key,
                          const codec::PositionSummary& summary, std::uint32_t mark);
    void delete_rows(std::span<const GameId> games);
    void disown_errors();
    void remove_unused_names();
    void delete_names(const SealedTable& table, const std::unordered_set<std::int64_t>& ids);
    [[noreturn]] void damaged(const SegmentRecord& segment, std::uint64_t key) const;

    Connection& connection_;
    ChunkTables& chunks_;
    RowSum& errors_;
    DeletedGames deleted_;
    SegmentReader segments_;
    GameReader games_;
    RowCodes codes_;
    Statement update_summary_;
    FineSumTable fine_sum_table_;

    GameSums removed_;
    LocatedSum removed_names_sum_;
    std::unordered_set<std::uint64_t> big_keys_;  // of the current segment
    std::vector<codec::Posting> gone_;            // removed from its big positions
    std::vector<Candidate> chunk_;
    StoredMoves moves_;
    std::vector<std::uint64_t> keys_;
    std::unordered_set<std::int64_t> players_;  // of the removed games
    std::unordered_set<std::int64_t> events_;
    std::unordered_set<std::int64_t> sites_;
};

}  // namespace fendex::store
