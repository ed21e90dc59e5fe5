// Writes tables `repetition` and `quiet_run`. Uses the connection of a writer, in its thread and
// transaction.
#pragma once

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

class RepetitionTable {
  public:
    explicit RepetitionTable(const Connection& connection);

    void insert(GameId game, const RepeatedPosition& each);
    void insert(GameId game, const QuietPlies& each);

  private:
    Statement insert_repetition_;
    Statement insert_quiet_run_;
};

}  // namespace fendex::store
