// Merges runs of records into the merged blocks, in pieces. After each piece the records up to a
// key are merged, and the runs begin after that key; so each record is in one place, the piece is
// committed or not, and no disk space is needed beyond it. Blocks to which nothing is added stay as
// they are. Uses the connection of a writer, in its thread and transaction.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/records/record_blocks.hpp"
#include "store/sqlite/records/record_rows.hpp"

namespace fendex::store {

class RecordMerge {
  public:
    /// `piece_bytes` are written between two commits.
    RecordMerge(Connection& connection, std::size_t piece_bytes);

    /// Merges a piece of these runs, and updates their rows. Adds to `merged` how many records more
    /// there are in merged blocks. Returns whether there is more to merge.
    bool merge_piece(std::vector<RecordRun>& runs, std::int64_t& merged);

  private:
    void begin_runs(const std::vector<RecordRun>& runs);
    bool merge_from(RecordStream& incoming);
    void take_block(std::uint64_t key);
    bool take_next_block(const codec::PackedRecord& record);
    bool merge_block(RecordStream& incoming);
    void insert(std::uint64_t last);
    void keep_rest(const codec::RecordBlock& block, std::uint64_t begin);
    void end_runs(std::vector<RecordRun>& runs, bool more);

    Connection& connection_;
    std::size_t piece_bytes_;
    RecordBlocks blocks_;
    Statement insert_;
    Statement remove_;
    Statement remove_of_run_;
    Statement remove_run_;
    std::deque<RecordCursor> cursors_;  // of the runs
    codec::RecordBlockWriter out_;
    // The merged block to which records are added:
    std::string data_;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
    std::uint64_t begin_ = 0;  // all records with lower keys are merged
    std::size_t written_ = 0;  // bytes, in this piece
    std::int64_t merged_ = 0;
};

}  // namespace fendex::store
