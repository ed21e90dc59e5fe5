// Ply rows of games as a virtual table of the writing connection. One INSERT ... SELECT stores them
// all, at half the cost of binding and stepping a statement for every row.
#pragma once

#include <span>

#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"

namespace fendex::store {

class PlyRowsSource {
  public:
    /// Copies the rows into table `ply`.
    static constexpr char kInsert[] =
        "INSERT INTO ply(game_id, ply, san, uci, key, fen, epd, occurrence)"
        " SELECT game_id, ply, san, uci, key, fen, epd, occurrence FROM new_ply";

    /// Adds table new_ply(game_id, ply, san, uci, key, fen, epd, occurrence) to the connection. No
    /// statement may read it after this object is destroyed.
    explicit PlyRowsSource(Connection& connection);
    PlyRowsSource(const PlyRowsSource&) = delete;
    PlyRowsSource& operator=(const PlyRowsSource&) = delete;

    /// Sets the contents of the table: the rows of `games`, which are in `list`. Both must stay
    /// valid as long as a statement reads the table.
    void set(std::span<const GamePlyRows> games, const PlyRowList& list) {
        games_ = games;
        list_ = &list;
    }
    std::span<const GamePlyRows> games() const { return games_; }
    const PlyRowList* list() const { return list_; }

  private:
    std::span<const GamePlyRows> games_;
    const PlyRowList* list_ = nullptr;
};

}  // namespace fendex::store
