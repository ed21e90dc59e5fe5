// Writes the results of query/novelty.hpp as JSON, with the names that the command line uses.
#pragma once

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "query/novelty.hpp"

namespace fendex::query {

/// Adds the members game (its number), white, black, date and result of the given game.
void add_asked_game(std::uint64_t number, const store::StoredGame& game, json::Object& object);
/// Adds the members ply, fen (in `dialect`), key, games, last, novelty, played, ended and eval.
/// `last` is the header of the latest game; it is not used if no position is known. `database` is
/// the name of its database; null if there is only one.
void add_novelty(const Novelty& novelty, const store::GameHeader& last, const std::string* database,
                 chess::FenDialect dialect, json::Object& object);

}  // namespace fendex::query
