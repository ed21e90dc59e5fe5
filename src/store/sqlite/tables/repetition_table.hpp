// Writes tables `repetition` and `quiet_run`. Uses the connection of a writer, in its thread and
// transaction.
#pragma once

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/file/new_rows.hpp"

namespace fendex::store {

class RepetitionTable {
  public:
    RepetitionTable(const Connection& connection, NewRowsSource& source);

    // These take effect with write().
    void insert(GameId game, const RepeatedPosition& each);
    void insert(GameId game, const QuietPlies& each);
    void write();

  private:
    NewRowsSource& source_;
    Statement insert_repetitions_;
    Statement insert_quiet_runs_;
    NewRows repetitions_;
    NewRows quiet_runs_;
};

}  // namespace fendex::store
