// Reads rows of table `game`: headers, moves, and whole games with their tag pairs. Reads one game
// by its number, or all games from one on. Uses the connection of a reader, in its thread and
// snapshot. Damage is thrown as StoreError.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/game_range.hpp"
#include "store/sqlite/caches/shared_caches.hpp"
#include "store/sqlite/file/connection.hpp"
#include "store/sqlite/sums/game_sums.hpp"
#include "store/sqlite/tables/copied_rows.hpp"
#include "store/sqlite/tables/game_row.hpp"
#include "store/store_reader.hpp"

namespace fendex::store {

class GameReader {
  public:
    /// kNo also reads rows whose checksum does not match.
    enum class Verify { kNo, kYes };

    explicit GameReader(const Connection& connection, Verify verify = Verify::kYes);

    // Like the functions of StoreReader.
    void headers(std::span<const GameId> games,
                 const std::function<void(const GameHeader&)>& visit);
    void moves(std::span<const GameId> games,
               const std::function<void(GameId, const StoredMoves&)>& visit);
    void games(std::span<const GameId> games,
               const std::function<void(GameId, const StoredGame&)>& visit);
    /// Returns the ranks of a game; empty if the columns of its row are not enough, or if there is
    /// no such game.
    std::optional<codec::GameRanks> ranks(GameId game);
    bool moves(GameId game, StoredMoves& out);
    bool game(GameId game, StoredGame& out);
    void for_each_moves(GameId first, const std::function<bool(GameId, const StoredMoves&)>& visit);
    void for_each_game(GameId first, const std::function<bool(GameId, const StoredGame&)>& visit);
    /// Appends the rows of a range of games, with all names that they have.
    void copy_rows(const GameRange& games, CopiedRows& out);
    /// Switches to another snapshot: forgets the names of ids and uses these shared caches.
    void use(const SnapshotCaches& caches);

  private:
    struct ShapeTag {
        std::string name;
        Column column = Column::kNone;  // kNone: the tag is packed
    };

    template <typename Visit>
    void for_each_row(std::span<const GameId> games, Statement& row, Visit visit);
    void read_header(GameId game, const Statement& row, GameHeader& out);
    void trim_names();
    const std::vector<ShapeTag>& shape(std::int64_t id);
    void read_game(const Statement& row, StoredGame& out);
    void read_moves(const Statement& row, const MoveColumns& columns, int sum, StoredMoves& out);
    void require_tags_sum(const Statement& row);
    void require_names(const Statement& row);
    std::optional<std::string_view> text(const Statement& row, int column);

    const Connection* connection_;
    Verify verify_;
    RowDigest digest_;
    Statement select_header_;
    Statement select_moves_;
    Statement select_game_;
    Statement scan_moves_;
    Statement scan_games_;
    Statement select_shape_;
    NameCache players_;
    NameCache events_;
    NameCache sites_;
    NameCache values_;
    std::unordered_map<std::int64_t, std::vector<ShapeTag>> shapes_;
    StoredGame game_;                                        // passed to the visitor of games()
    StoredMoves moves_;                                      // passed to the visitor of moves()
    std::array<std::string, game_columns::kEco + 1> texts_;  // of the last game, by column
};

}  // namespace fendex::store
