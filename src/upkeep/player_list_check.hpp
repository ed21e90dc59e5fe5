// Checks the lists of players' games and names (store/sqlite/tables/player_lists.hpp): each range
// is compared with the columns and names that it was made from.
#pragma once

#include "store/records.hpp"
#include "store/sqlite/repair/raw_rows.hpp"
#include "upkeep/damage.hpp"
#include "upkeep/marked_games.hpp"

namespace fendex::upkeep {

/// Lists that readers do not use are not checked. Throws DamageError.
void check_player_lists(store::RawRows& raw_rows, const MarkedGames& deleted,
                        store::GameId last_game, Findings& findings);

}  // namespace fendex::upkeep
