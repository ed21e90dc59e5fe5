// What the variations of games add to a tree. A game counts for a move if it played the move from
// the position, or if one of its variations does; once, with its result and ratings. A game that
// has the position only in variations counts, too. That a variation ends in the position does not
// count as an end.
#pragma once

#include <functional>
#include <stop_token>

#include "query/position_search.hpp"
#include "store/engine.hpp"

namespace fendex::query {

/// Adds to the sums of the games that played from an exact position. Does nothing if the database
/// has no indexed variations; lists of games do not change. Throws StoreError if the database is
/// not on this machine, and base::Stopped after a stop was requested.
void add_variations(store::StoreReader& reader, PositionSearch& search, const Question& question,
                    store::Engine::Tree& sums, const std::stop_token& stop);

/// Like add_variations() above, but only of games for which counts(game) is true. Calls
/// found(game, facts) for each whose variations have the position.
using CountsGame = std::function<bool(store::GameId)>;
using FoundGame = std::function<void(store::GameId, const codec::GameFacts&)>;
void add_variations(store::StoreReader& reader, PositionSearch& search, const Question& question,
                    store::Engine::Tree& sums, const CountsGame& counts, const FoundGame& found,
                    const std::stop_token& stop);

}  // namespace fendex::query
