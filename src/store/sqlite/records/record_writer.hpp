// Writes the records of positions: they are collected in memory, become runs with the commits, and
// are merged. Makes the tables when they are first needed. Uses the connection of a writer, in its
// thread and transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/records/record_buffer.hpp"
#include "store/sqlite/records/record_rows.hpp"

namespace fendex::store {

class RecordWriter {
  public:
    explicit RecordWriter(Connection& connection) : connection_(connection) {}

    /// Reads what is stored, and drops what waits in memory. Must be called when a transaction has
    /// begun, unless the last one was ours.
    void load();
    bool has_tables() const { return has_tables_; }
    std::uint64_t merged() const { return merged_; }

    /// Limits the memory for records that wait.
    void limit(std::size_t bytes) { limit_ = bytes; }
    void add(const NewGames& batch);
    /// Returns whether so many records wait that flush() and a commit should follow.
    bool is_due() const { return buffer_.bytes() >= limit_; }
    /// Makes a run of the waiting records, which are from the text of `source` before `end_byte`.
    void flush(std::int64_t source, std::uint64_t end_byte);
    /// Removes the runs of a source with records from after `end_byte`.
    void retract(std::int64_t source, std::uint64_t end_byte);
    void put_source(std::int64_t source, std::uint64_t records);

    /// Merges the runs, except those of the sources `unfinished`. Calls commit() after each piece;
    /// if it returns false, merging ends.
    void merge(const std::vector<std::int64_t>& unfinished, const std::function<bool()>& commit);
    /// Returns whether there are so many runs that they should be merged before the import ends.
    bool has_many_runs() const { return runs_.size() >= most_runs_; }
    /// Removes all records, and the tables. Returns how many there were.
    std::uint64_t remove_all();

  private:
    /// A look-up reads each run, so there should not be many.
    static constexpr std::size_t kMostRuns = 128;
    static constexpr std::size_t kPieceBytes = std::size_t{32} << 20;

    void make_tables();

    Connection& connection_;
    bool has_tables_ = false;
    std::uint64_t merged_ = 0;
    std::vector<RecordRun> runs_;
    RecordBuffer buffer_;
    std::size_t limit_ = std::size_t{64} << 20;
    std::size_t most_runs_ = kMostRuns;  // more if runs could not be merged
};

}  // namespace fendex::store
