// Writes table `source`, the ledger of what was imported. Uses the connection of a writer, in its
// thread and transaction.
#pragma once

#include <string>

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/row_sums.hpp"

namespace fendex::store {

class SourceTable {
  public:
    /// Keeps `sum`, the checksum of the rows, up to date. `sum` must outlive this object.
    SourceTable(Connection& connection, RowSum& sum);

    /// Begins a new row for the games that follow. `first_byte` is the place in the file where the
    /// text of the row begins; it is not 0 if another row has the text before.
    void begin(const SourceFile& file, const std::string& options, GameId first_game,
               std::uint64_t first_byte = 0);
    /// Continues an existing row with the games that follow.
    void go_on(const StoredSource& source, const SourceFile& file);
    /// Resets the current row to these counts and to progress.resume. `errors` is the number of its
    /// errors that have been removed.
    void retract(const SourceCounts& counts, const SourceProgress& progress, std::uint64_t errors);
    /// Ends a row at its checkpoint, because another row continues it. If there is an open game
    /// after the checkpoint, its number stays with the row, and the caller must delete the game.
    void end_at_checkpoint(const StoredSource& source);
    /// Forgets the text of a row that is not the current one. `errors` is the number of its errors
    /// that have been removed. The numbers of its games stay with the row.
    void forget_text(const StoredSource& source, std::uint64_t errors);
    void set_file(std::int64_t id, const SourceFile& file);

    /// Adds a stored batch of the current source to its counts.
    void count(const NewGames& batch);
    /// Writes how far the current source has been read.
    void update(const SourceProgress& progress);
    /// Returns the row to which new games and errors belong.
    const StoredSource& current() const { return current_; }

  private:
    void write(const StoredSource& source);

    void change(Statement& update, std::int64_t id);

    Connection* connection_;
    RowSum& sum_;
    Statement insert_;
    Statement set_file_;
    Statement update_;
    StoredSource current_;
};

}  // namespace fendex::store
