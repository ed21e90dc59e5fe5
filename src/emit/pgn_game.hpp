// A stored game as PGN, in the export format of the 1994 standard (8.1.1, 8.2). The seven tags of
// the roster come first, in their order; missing ones are written as unknown, except a missing
// Result, which is the game's. Other tags follow in ASCII order of their names. A SetUp tag is
// added to games with a FEN that have none. Comments, NAGs and variations are written if they are
// stored. Reading the PGN gives the same plies, tag pairs and annotations. Moves may be spelled in
// other languages, also in variations. A game that broke off ends at the same ply. A game with
// unknown rules or start is written as it was imported, if its text was kept.
#pragma once

#include <string>
#include <string_view>

#include "emit/game_batches.hpp"
#include "emit/kept_texts.hpp"
#include "pgn/writer.hpp"

namespace fendex::emit {

/// Appends the game and a blank line; if the game has no positions, only the tag pairs and the
/// result. `annotation` is that of StoreReader, empty if there is none. Throws StoreError if stored
/// data is damaged.
void append_pgn(store::GameId id, const store::StoredGame& game, std::string_view annotation,
                std::string& out, const chess::SanSpelling& spelling = {});

/// Appends a game with its annotation, or its kept text, which are read from the database. `kept`
/// serves the games of one database.
void append_pgn(store::StoreReader& reader, KeptTexts& kept, store::GameId id,
                const store::StoredGame& game, std::string& out,
                const chess::SanSpelling& spelling = {});

/// Reads the game first. Returns false if there is no such game.
bool append_pgn(store::StoreReader& reader, KeptTexts& kept, store::GameId id, std::string& out,
                const chess::SanSpelling& spelling = {});
bool append_pgn(store::StoreReader& reader, store::GameId id, std::string& out,
                const chess::SanSpelling& spelling = {});

/// Writes the tag pairs: the seven of the roster, then the others.
void write_tags(const store::StoredGame& game, pgn::GameWriter& writer);

/// Writes all games of a job.
void export_pgn(const ExportJob& job, ByteSink& sink);

}  // namespace fendex::emit
