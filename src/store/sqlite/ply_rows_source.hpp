// The ply rows of a batch as a virtual table of the writing connection, so that one INSERT ...
// SELECT stores them all: half the cost of binding and stepping a statement for every row.
#pragma once

#include "store/records.hpp"
#include "store/sqlite/connection.hpp"

namespace fendex::store {

class PlyRowsSource {
  public:
    /// Copies the rows of the batch into table `ply`.
    static constexpr char kInsert[] =
        "INSERT INTO ply(game_id, ply, san, uci, key, fen, epd, occurrence)"
        " SELECT game_id, ply, san, uci, key, fen, epd, occurrence FROM new_ply";

    /// Makes table new_ply(game_id, ply, san, uci, key, fen, epd, occurrence) readable on the
    /// connection; no statement may read it once this is gone.
    explicit PlyRowsSource(Connection& connection);
    PlyRowsSource(const PlyRowsSource&) = delete;
    PlyRowsSource& operator=(const PlyRowsSource&) = delete;

    /// What the table holds from now on.
    void set(const NewGames* batch) { batch_ = batch; }
    const NewGames* batch() const { return batch_; }

  private:
    const NewGames* batch_ = nullptr;
};

}  // namespace fendex::store
