// A stored game as PGN, in the export format of the 1994 standard (8.1.1, 8.2): the seven tags of
// the roster first and in their order, a missing one as unknown (the result as the game's), the
// others in ASCII order by name; a SetUp tag where a game from elsewhere has none; comments, NAGs
// and variations as they were, where they are stored. Reading it gives the same plies, and every
// tag pair and annotation that was stored. Moves may be spelled in other languages, those of
// variations too. A game that broke off ends where it broke off, one whose
// rules are not known has no moves.
#pragma once

#include <string>
#include <string_view>

#include "emit/game_batches.hpp"

namespace fendex::emit {

/// Appends the game and a blank line. `annotation` as StoreReader has it, empty for none. Throws
/// StoreError where what is stored is damaged.
void append_pgn(store::GameId id, const store::StoredGame& game, std::string_view annotation,
                std::string& out, const chess::SanSpelling& spelling = {});

/// The game and its annotation, out of the database; false where there is no such game.
bool append_pgn(store::StoreReader& reader, store::GameId id, std::string& out,
                const chess::SanSpelling& spelling = {});

/// Writes all games of a job.
void export_pgn(const ExportJob& job, ByteSink& sink);

}  // namespace fendex::emit
