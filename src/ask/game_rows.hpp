// The rows of a list of games: game_id, the columns of a game, plies.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>

#include "ask/ranked_games.hpp"
#include "ask/rows.hpp"
#include "ask/sources.hpp"

namespace fendex::ask {

/// Returns the games that fit, in order. The sources must have the question's filter.
[[nodiscard]] std::unique_ptr<Rows> game_rows(std::shared_ptr<Sources> sources,
                                              store::GameOrder order, const Page& page,
                                              const RowStyle& style, std::stop_token stop = {});

}  // namespace fendex::ask
