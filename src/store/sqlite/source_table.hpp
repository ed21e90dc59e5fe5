// The write side of table `source`, the ledger of what was imported. Lives beside a writer's
// connection, in its thread and transaction.
#pragma once

#include <string>

#include "store/records.hpp"
#include "store/sqlite/connection.hpp"

namespace fendex::store {

class SourceTable {
  public:
    explicit SourceTable(Connection& connection);

    /// A new row; the games that follow are its. With `first_byte`, it goes on where another ends.
    void begin(const SourceFile& file, const std::string& options, GameId first_game,
               std::uint64_t first_byte = 0);
    /// The games that follow are of a row that is there.
    void go_on(const StoredSource& source, const SourceFile& file);
    /// The current row is as it was when it had given that many games, up to progress.resume;
    /// `errors` of it are gone.
    void take_back(const SourceCounts& counts, const SourceProgress& progress,
                   std::uint64_t errors);
    /// A row's part ends at its checkpoint: another row goes on. An open game behind it stays one
    /// of the row's, deleted as it will be.
    void end_at_checkpoint(const StoredSource& source);
    /// Nothing is known of the text of a row that is not the current one, and `errors` of it are
    /// gone. The numbers of its games stay its own.
    void forget_text(const StoredSource& source, std::uint64_t errors);
    void set_file(std::int64_t id, const SourceFile& file);

    /// A batch of the current source has been stored.
    void count(const NewGames& batch);
    /// Writes how far the current source has been read.
    void update(const SourceProgress& progress);
    /// The row that games and errors belong to.
    const StoredSource& current() const { return current_; }

  private:
    void write(const StoredSource& source);

    Connection* connection_;
    Statement insert_;
    Statement set_file_;
    Statement update_;
    StoredSource current_;
};

}  // namespace fendex::store
