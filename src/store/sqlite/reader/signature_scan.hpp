// Scans the signatures of games, which show in which games a pattern can occur. Uses the connection
// of a reader, in its thread and snapshot. Damage is thrown as StoreError.
#pragma once

#include <span>
#include <vector>

#include "store/game_range.hpp"
#include "store/sqlite/tables/chunk_table.hpp"
#include "store/sqlite/tables/deleted_games.hpp"

namespace fendex::store {

class SignatureScan {
  public:
    /// `deleted` must outlive this object.
    SignatureScan(const Connection& connection, const DeletedGames& deleted)
        : connection_(&connection), deleted_(&deleted), signatures_(connection) {}

    /// Switches to another snapshot, whose last game this is.
    void load(GameId last_game);
    // Like the functions of StoreReader.
    std::vector<codec::GameSignature> signatures(const GameRange& games);
    std::vector<GameId> possible_games(const GameRange& games,
                                       std::span<const codec::SignatureCondition> any_of);

  private:
    template <typename Visit>
    void for_each(const GameRange& games, Visit visit);

    const Connection* connection_;
    const DeletedGames* deleted_;
    SignatureReader signatures_;
    GameId last_game_ = 0;
};

}  // namespace fendex::store
