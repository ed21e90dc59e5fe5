// A player's report, and what to prepare against a player, as documents.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ask/question.hpp"
#include "query/player_list.hpp"

namespace fendex::ask {

[[nodiscard]] FieldText together_field();
[[nodiscard]] FieldText color_field();

/// Returns the names of players.
[[nodiscard]] std::vector<std::string> names_of(std::span<const query::PlayerCount> players);

}  // namespace fendex::ask
