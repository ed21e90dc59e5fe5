// The rows of players.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ask/rows.hpp"
#include "query/player_list.hpp"

namespace fendex::ask {

/// Returns the players of the games that fit, those with most games first; with a prefix only those
/// whose names have its words. If there is one database, only the names up to the end of the page
/// are read.
[[nodiscard]] std::unique_ptr<Rows> player_rows(const Context& context, const std::string& prefix);

/// Returns the rows of these players.
[[nodiscard]] std::unique_ptr<Rows> player_rows(std::vector<query::PlayerCount> players);

}  // namespace fendex::ask
