// Whom a typed name means, among the players of one database or several.
#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "store/players.hpp"

namespace fendex::query {

using store::PlayerCount;

/// Adds up the players of several databases by their names; those with most games first.
[[nodiscard]] std::vector<PlayerCount> joined_players(
    std::vector<std::vector<PlayerCount>> databases);

/// The players that a typed name may mean.
struct PlayerChoice {
    /// As typed: the player with exactly this name, else all whose words fit; a player fits if any
    /// of the joined names does.
    std::vector<PlayerCount> named;
    /// Others that may be the same person (alike_names.hpp); none if too many are named.
    std::vector<PlayerCount> alike;
};

/// Chooses among the players of all databases together. In both lists, those with most games are
/// first. Throws base::Stopped after a stop was requested.
[[nodiscard]] PlayerChoice choose_players(
    std::span<const std::unique_ptr<store::Players>> databases, std::string_view typed,
    const std::stop_token& stop = {});

}  // namespace fendex::query
