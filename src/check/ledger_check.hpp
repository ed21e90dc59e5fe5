// What the tables say of one another: segments and games, sources and errors, counters and rows,
// deleted games and what is left of them. Nothing is replayed for it.
#pragma once

#include <vector>

#include "check/damage.hpp"
#include "check/game_check.hpp"
#include "check/game_set.hpp"
#include "store/sqlite/audit.hpp"

namespace fendex::check {

GameSet deleted_games(store::Audit& audit, store::GameId last_game, Findings& findings);

/// The segments of a kind that can be compared with games: of sensible numbers, in order, none
/// overlapping another. Those of main lines follow one another from the first game on.
std::vector<store::AuditedSegment> usable_segments(store::Audit& audit, store::SegmentKind kind,
                                                   store::GameId last_game, Findings& findings);

/// kLedger: the rows of sources with one another only, which costs nothing on a database of any
/// size.
enum class Depth { kLedger, kGames };
void check_sources(store::Audit& audit, const GameSet& deleted, store::GameId last_game,
                   Depth depth, Findings& findings);
void check_import_errors(store::Audit& audit, const GameSet& deleted, Findings& findings);
/// Rows of games that are not there.
void check_orphans(store::Audit& audit, Findings& findings);
/// Chunks that are too many, and what is left of deleted games.
void check_chunks(store::Audit& audit, const GameSet& deleted, store::GameId last_game,
                  Findings& findings);
/// The counters of table `meta`.
void check_counters(store::Audit& audit, const GameSums& sums, Findings& findings);

}  // namespace fendex::check
