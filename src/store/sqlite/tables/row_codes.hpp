// Computes the values in the tables of chunks from the row of a game. The writer knows these values
// when it writes the row. Upgrades, repairs, checks and readers of older formats need this. Uses a
// connection, in its thread.
#pragma once

#include <unordered_map>
#include <vector>

#include "codec/game_codes.hpp"
#include "store/records.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/tables/game_reader.hpp"

namespace fendex::store {

class RowCodes {
  public:
    explicit RowCodes(const Connection& connection);

    /// Returns the codes of a game; all zero if it does not exist. Does not verify the row.
    codec::GameCodes codes(GameId game);

  private:
    std::uint32_t termination(const Statement& row);
    const std::vector<bool>& packed_tags(std::int64_t shape);

    Statement select_;
    Statement select_shape_;
    /// For each packed tag of a shape, whether it is the termination.
    std::unordered_map<std::int64_t, std::vector<bool>> shapes_;
};

/// Computes the facts of a game from its row and tags.
class RowFacts {
  public:
    RowFacts(const Connection& connection, GameReader::Verify verify)
        : games_(connection, verify) {}

    /// Sets the facts of a game. Returns false if it does not exist. Throws StoreError if its row
    /// is damaged.
    bool facts(GameId game, codec::GameFacts& out);

  private:
    GameReader games_;
    StoredGame game_;
    std::vector<TagPair> tags_;
};

}  // namespace fendex::store
