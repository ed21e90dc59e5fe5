// Scores of a player as JSON, with the names that the command line uses.
#pragma once

#include "base/json.hpp"
#include "query/player_report.hpp"

namespace fendex::query {

/// Adds the members games, wins, draws and losses.
inline void add_player_results(const PlayerScore& score, json::Object& object) {
    object.add("games", score.games);
    object.add("wins", score.wins);
    object.add("draws", score.draws);
    object.add("losses", score.losses);
}

}  // namespace fendex::query
