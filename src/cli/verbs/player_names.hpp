// The players that a name on the command line may mean: lists of them, and which one is meant.
#pragma once

#include <span>

#include "cli/output/output.hpp"
#include "query/player_list.hpp"

namespace fendex::cli {

Option together_option();

/// Prints a page of players. There are `all` of them, but the span need not go beyond the page.
void print_players(std::span<const query::PlayerCount> players, std::size_t all,
                   const Arguments& arguments, Format format, Output& output);

/// Returns whether the name means one player, or --together is given. Otherwise prints the names
/// that fit, and how to choose among them.
bool means_one_player(const query::PlayerChoice& choice, const Arguments& arguments, Format format,
                      Output& output);

}  // namespace fendex::cli
