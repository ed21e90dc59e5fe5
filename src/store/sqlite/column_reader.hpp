// Reads the columns of games that filters compare, and the names of their ids. Lives beside a
// reader's connection, in its thread and snapshot.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "store/sqlite/connection.hpp"
#include "store/sqlite/game_sums.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

class ColumnReader {
  public:
    explicit ColumnReader(Connection& connection);

    bool columns(GameId game, GameColumns& out);
    void for_each_columns(const std::function<void(const GameColumns&)>& visit);
    void for_each_name(NameKind kind,
                       const std::function<void(std::int64_t, std::string_view)>& visit);

  private:
    GameColumns columns_of(const Statement& row);
    void require_id(std::int64_t id, std::int64_t most, std::string_view what) const;

    Connection* connection_;
    RowDigest digest_;
    std::string site_text_;  // of the last game read
    std::string eco_;
    Statement select_;
    Statement scan_;
};

}  // namespace fendex::store
