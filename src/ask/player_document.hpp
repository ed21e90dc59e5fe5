// A player's report, and what to prepare against a player, as documents.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "ask/question.hpp"
#include "query/player_list.hpp"

namespace fendex::ask {

[[nodiscard]] FieldText together_field();
[[nodiscard]] FieldText color_field();

/// Returns the players of the games that fit whom a typed name means, in all databases together.
[[nodiscard]] query::PlayerChoice choose_players(Sources& sources, std::string_view typed,
                                                 const std::stop_token& stop = {});

/// Returns the names of players.
[[nodiscard]] std::vector<std::string> names_of(std::span<const query::PlayerCount> players);

}  // namespace fendex::ask
