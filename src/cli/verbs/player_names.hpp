// Which player a name on the command line means.
#pragma once

#include "cli/options/arguments.hpp"
#include "query/player_list.hpp"

namespace fendex::cli {

/// Returns whether the name means one player, or --together is given. Otherwise prints the names
/// that fit, and how to choose among them.
bool means_one_player(const query::PlayerChoice& choice, const Arguments& arguments, Format format);

}  // namespace fendex::cli
