// Writes scores of players and reports on players as JSON, with the names that the command line
// uses.
#pragma once

#include <span>
#include <string_view>

#include "base/json.hpp"
#include "query/player_list.hpp"
#include "query/player_report.hpp"

namespace fendex::query {

/// Adds the members games, wins, draws and losses.
inline void add_player_results(const PlayerScore& score, json::Object& object) {
    object.add("games", score.games);
    object.add("wins", score.wins);
    object.add("draws", score.draws);
    object.add("losses", score.losses);
}

/// The players of a report, and other names that may belong to the same person.
struct ReportedPlayers {
    std::span<const PlayerCount> named;
    std::span<const PlayerCount> alike;
    std::string_view against;  // the opponent's name as typed; empty means all opponents
};

/// Adds the member alike: other names that may belong to the same person.
void add_alike(std::span<const PlayerCount> alike, json::Object& object);

/// Adds the members names, alike, against, white, black, years, opponents, ratings and openings.
void add_player_report(const ReportedPlayers& players, const PlayerReport& report,
                       json::Object& object);

}  // namespace fendex::query
