// The rows of the plies of games: the move that led to each, key, FEN, EPD.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "ask/rows.hpp"
#include "ask/sources.hpp"
#include "chess/fen.hpp"

namespace fendex::ask {

/// Returns the plies of one game, which must exist, or with `game_id` those of all games that fit.
/// Games that cannot be replayed have none.
[[nodiscard]] std::unique_ptr<Rows> ply_rows(std::shared_ptr<Sources> sources,
                                             std::optional<store::GameId> game,
                                             chess::FenDialect dialect, std::stop_token stop = {});

}  // namespace fendex::ask
