// Compares the tables with each other: segments and games, sources and errors, counters and rows,
// deleted games and their remaining rows. Nothing is replayed.
#pragma once

#include <vector>

#include "store/sqlite/repair/raw_rows.hpp"
#include "upkeep/damage.hpp"
#include "upkeep/game_check.hpp"
#include "upkeep/marked_games.hpp"

namespace fendex::upkeep {

MarkedGames deleted_games(store::RawRows& raw_rows, store::GameId last_game, Findings& findings);

/// Reports segments of unknown kind, and segments with values that are not numbers.
void check_segment_rows(store::RawRows& raw_rows, Findings& findings);
/// Returns the segments of a kind that can be compared with games: those with valid numbers, in
/// order, without overlaps. Segments of main lines must be contiguous from the first game on.
std::vector<store::RawSegment> usable_segments(store::RawRows& raw_rows, store::SegmentKind kind,
                                               store::GameId last_game, Findings& findings);

/// kLedger: only compares the rows of sources with each other, which is quick for any database.
enum class Depth { kLedger, kGames };
void check_sources(store::RawRows& raw_rows, const MarkedGames& deleted, store::GameId last_game,
                   Depth depth, Findings& findings);
void check_import_errors(store::RawRows& raw_rows, const MarkedGames& deleted, Findings& findings);
/// Reports rows of games that do not exist.
void check_orphans(store::RawRows& raw_rows, Findings& findings);
/// Reports chunks that should not exist, and rows that remain of deleted games.
void check_chunks(store::RawRows& raw_rows, const MarkedGames& deleted, store::GameId last_game,
                  Findings& findings);
/// Compares tables with their checksums (store/sqlite/sums/row_sums.hpp). Returns false if there
/// are no valid checksums, because an older program wrote last.
bool check_row_sums(store::RawRows& raw_rows, Findings& findings);
void check_names(store::RawRows& raw_rows, Findings& findings);
/// Checks the counters of table `meta`.
void check_counters(store::RawRows& raw_rows, const store::GameSums& sums, Findings& findings);

}  // namespace fendex::upkeep
