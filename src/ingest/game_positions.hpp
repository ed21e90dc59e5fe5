// Adds what is stored about the positions of a game to a batch of new games. A pure function, for
// games that were read from text and for those of another database.
#pragma once

#include "chess/any_position.hpp"
#include "replay/game_trace.hpp"
#include "store/records.hpp"

namespace fendex::ingest {

/// Looks up the opening of a game that has positions.
void add_opening(const replay::GameRecord& record, store::NewGame& game);
/// `record` is of the last game of the batch, which begins at `start` and has positions. Adds its
/// keys, repetitions and quiet runs, and with `ply_rows` a row for each ply.
void add_positions(const replay::GameRecord& record, const chess::AnyPosition& start, bool ply_rows,
                   store::NewGames& out);

}  // namespace fendex::ingest
