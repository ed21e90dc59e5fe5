// What query/novelty.hpp finds as JSON, with the names that the command line uses.
#pragma once

#include "base/json.hpp"
#include "chess/fen.hpp"
#include "query/novelty.hpp"

namespace fendex::query {

/// Adds the members ply, fen (in `dialect`), key, games, last, novelty, played and ended. The last
/// game is looked up.
void add_novelty(const Novelty& novelty, chess::FenDialect dialect, store::StoreReader& reader,
                 json::Object& object);

}  // namespace fendex::query
