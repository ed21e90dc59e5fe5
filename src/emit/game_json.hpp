// A game as the members of a JSON object.
#pragma once

#include <string>

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "chess/san_language.hpp"
#include "query/evaluations.hpp"
#include "store/store_reader.hpp"

namespace fendex::emit {

/// Adds the members of `fendex games`, then variant, fen (of the start), moves (SAN), record_evals
/// and tags (every tag pair). record_evals has what records say of the position after each move; it
/// is null if they say nothing about the game. The moves and the FEN of a game that cannot be
/// replayed are null.
void add_game(store::GameId id, const store::StoredGame& game, const store::GameHeader& header,
              chess::FenDialect dialect, const chess::SanSpelling& spelling,
              query::Evaluations& evaluations, json::Object& object);

}  // namespace fendex::emit
