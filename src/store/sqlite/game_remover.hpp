// Takes games out of a database: their rows, what is known of them, and their share of the
// summaries of big positions. Segments keep their postings, which readers pass over. Works through
// a writer's connection, in its thread and transaction; made for one removal.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "codec/posting.hpp"
#include "store/sqlite/chunk_table.hpp"
#include "store/sqlite/column_reader.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/deleted_games.hpp"
#include "store/sqlite/game_reader.hpp"
#include "store/sqlite/segment_reader.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

class GameRemover {
  public:
    GameRemover(Connection& connection, FactWriter& facts, SignatureWriter& signatures);

    /// Games beyond `last_game` and those that were deleted before are passed over. Takes 8 bytes
    /// a game, and a bounded room for the rest.
    RemovedGames remove(std::span<const GameId> games, GameId last_game);

  private:
    void collect(GameId game, const Segment* segment);
    void update_summaries(const Segment& segment);
    void update_summary(const Segment& segment, std::span<const codec::Posting> gone);
    bool subtract(const Segment& segment, std::span<const codec::Posting> gone,
                  codec::GroupSummary& group);
    void sum_again(const Segment& segment, std::uint64_t key, unsigned part,
                   codec::GroupSummary& group);
    void delete_rows(std::span<const GameId> games);
    void disown_errors();
    void remove_unused_names();
    [[noreturn]] void damaged(const Segment& segment, std::uint64_t key) const;

    Connection& connection_;
    FactWriter& facts_;
    SignatureWriter& signatures_;
    DeletedGames deleted_;
    SegmentReader segments_;
    GameReader games_;
    ColumnReader columns_;
    Statement update_summary_;

    RemovedGames removed_;
    std::unordered_set<std::uint64_t> big_keys_;  // of the segment that is being worked on
    std::vector<codec::Posting> gone_;            // in its big positions
    std::vector<Candidate> chunk_;
    StoredMoves moves_;
    std::unordered_set<std::int64_t> players_;  // of the games that went
    std::unordered_set<std::int64_t> events_;
    std::unordered_set<std::int64_t> sites_;
};

}  // namespace fendex::store
