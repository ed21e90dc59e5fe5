// The write side of table `source`, the ledger of what was imported. Lives beside a writer's
// connection, in its thread and transaction.
#pragma once

#include "store/sqlite.hpp"
#include "store/store_writer.hpp"

namespace fendex::store {

class SourceTable {
  public:
    explicit SourceTable(Connection& connection);

    /// A new row; the games that follow are its.
    void begin(const SourceRecord& source, GameId first_game);
    /// A batch of the current source has been stored.
    void count(const NewGames& batch);
    /// Writes how far the current source has been read.
    void update(std::uint64_t bytes, bool complete);
    /// The row that games and errors belong to.
    std::int64_t current() const { return id_; }

  private:
    Connection* connection_;
    Statement insert_;
    Statement update_;
    std::int64_t id_ = 0;
    std::uint64_t games_ = 0;
    std::uint64_t plies_ = 0;
    std::uint64_t errors_ = 0;
};

}  // namespace fendex::store
