// A stored game as PGN, in the export format of the 1994 standard (8.1.1, 8.2): the seven tags of
// the roster first and in their order, a missing one as unknown (the result as the game's), the
// others in ASCII order by name; a SetUp tag where a game from elsewhere has none; comments, NAGs
// and variations as they were, where they are stored. Reading it gives the same plies, and every
// tag pair and annotation that was stored. Moves may be spelled in other languages, those of
// variations too. A game that broke off ends where it broke off. A game whose rules or start are
// not known is written as it was imported, if its text was kept.
#pragma once

#include <string>
#include <string_view>

#include "emit/game_batches.hpp"
#include "emit/kept_texts.hpp"

namespace fendex::emit {

/// Appends the game and a blank line; of a game without positions the tag pairs and the result.
/// `annotation` as StoreReader has it, empty for none. Throws StoreError where what is stored is
/// damaged.
void append_pgn(store::GameId id, const store::StoredGame& game, std::string_view annotation,
                std::string& out, const chess::SanSpelling& spelling = {});

/// The game and its annotation, or its kept text, out of the database; false where there is no such
/// game. `kept` is for the games of one database.
bool append_pgn(store::StoreReader& reader, KeptTexts& kept, store::GameId id, std::string& out,
                const chess::SanSpelling& spelling = {});
bool append_pgn(store::StoreReader& reader, store::GameId id, std::string& out,
                const chess::SanSpelling& spelling = {});

/// Writes all games of a job.
void export_pgn(const ExportJob& job, ByteSink& sink);

}  // namespace fendex::emit
