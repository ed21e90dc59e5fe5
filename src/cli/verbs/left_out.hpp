// Hints on stderr which names of a player a question leaves out, and how to join them.
#pragma once

#include <span>

#include "cli/options/arguments.hpp"
#include "query/game_filter.hpp"
#include "query/player_list.hpp"

namespace fendex::cli {

/// Says which names a filter leaves out. Says nothing with --quiet.
void say_left_out(const Arguments& arguments, std::span<store::StoreReader* const> readers,
                  const query::GameFilter& filter);
/// Says which names a chosen player leaves out. Says nothing with --quiet.
void say_left_out(const Arguments& arguments, const query::PlayerChoice& choice);

}  // namespace fendex::cli
