// Writes tables `segment`, `block` and `fine_sum`. Uses the connection of a writer, in its thread
// and transaction.
#pragma once

#include <span>
#include <vector>

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/segments/fine_sum_table.hpp"
#include "store/sqlite/sums/row_sums.hpp"
#include "store/sqlite/sums/segment_record.hpp"

namespace fendex::store {

class SegmentTable {
  public:
    explicit SegmentTable(Connection& connection);

    /// Throws StoreError if read_segments() does, or if a segment has games after the last one or
    /// an unknown kind.
    void require_sound(GameId last_game);
    /// Returns the last game that is in a segment; 0 if there is none.
    GameId last_game();

    /// Begins a segment and returns its id. Remaining blocks of other segments do not have this id.
    std::int64_t begin();
    void add_block(std::uint64_t first_key, unsigned part, std::string_view data);
    void add_fine_sums(std::uint64_t key, std::string_view row) { fine_sums_.put(id_, key, row); }
    /// Writes the rows of segments of one kind, and removes segments with the same games. `sum` is
    /// the checksum of the rows.
    void put(std::span<const SegmentRecord> segments, RowSum& sum);

    /// Removes segments of both kinds with games from `first` on. Returns the first game whose
    /// variations were in one of them; 0 for none.
    GameId remove_from(GameId first, RowSum& sum);

    /// Deletes blocks and fine sums that belong to no segment, but at most as many as one commit
    /// should have. They remain after a killed import, or of a replaced segment. Keeps those of
    /// segments that were begun here. Returns false if there are no more.
    bool remove_remains();
    /// Forgets the segments that were begun: put() will not be called for them.
    void abandon() { begun_.clear(); }
    void give_up(std::int64_t id) { std::erase(begun_, id); }

  private:
    void remove_overlapping(SegmentKind kind, GameId first, GameId last, RowSum& sum);
    bool is_segment(std::int64_t id);
    bool is_begun(std::int64_t id) const;
    bool remove(Statement& statement, std::int64_t id);
    bool remove_fine_sums();

    Connection* connection_;
    FineSumTable fine_sums_;
    Statement select_id_;
    Statement select_next_block_;
    Statement insert_block_;
    Statement insert_segment_;
    Statement delete_blocks_;
    Statement delete_other_blocks_;
    std::int64_t id_ = 0;
    std::vector<std::int64_t> begun_;  // not put yet
};

}  // namespace fendex::store
