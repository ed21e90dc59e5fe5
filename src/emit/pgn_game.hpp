// A stored game as PGN, in the export format of the 1994 standard (8.1.1, 8.2): the seven tags of
// the roster first and in their order, a missing one as unknown (the result as the game's), the
// others in ASCII order by name; a SetUp tag where a game from elsewhere has none. Reading it gives
// the same plies and every tag pair that was stored. A game that broke off ends where it broke off,
// one whose rules are not known has no moves.
#pragma once

#include <string>

#include "emit/game_batches.hpp"

namespace fendex::emit {

/// Appends the game and a blank line. Throws StoreError where the stored moves are damaged.
void append_pgn(store::GameId id, const store::StoredGame& game, std::string& out);

/// Writes all games of a job.
void export_pgn(const ExportJob& job, ByteSink& sink);

}  // namespace fendex::emit
