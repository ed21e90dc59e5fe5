// Games and plies as rows, JSON lines or CSV: what `games` and `show --plies` print, of many games
// at once.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "chess/fen.hpp"
#include "emit/game_batches.hpp"
#include "emit/position_export.hpp"
#include "emit/rows.hpp"

namespace fendex::emit {

enum class RowFormat { kJson, kCsv };

/// The columns that lists of games have in common, in the order of their cells.
inline constexpr std::array<std::string_view, 10> kGameColumns = {
    "white", "black", "result", "date", "event", "site", "round", "white_elo", "black_elo", "eco"};
/// Views into the header.
void append_game_cells(const store::GameHeader& game, std::vector<Cell>& cells);

/// The columns of a ply.
inline constexpr std::array<std::string_view, 7> kPlyColumns = {"ply", "san", "uci",       "key",
                                                                "fen", "epd", "occurrence"};
/// visit(cells) for every ply of a game that can be replayed, the start included: those of `first`,
/// then of kPlyColumns, FENs in `dialect`. Throws StoreError where the stored moves are damaged.
void for_each_ply_row(store::GameId id, const store::StoredMoves& moves,
                      const store::Occurrences& occurrences, chess::FenDialect dialect,
                      const chess::SanSpelling& spelling, const std::vector<Cell>& first,
                      const std::function<void(const std::vector<Cell>& cells)>& visit);

/// A row per game: game_id, kGameColumns, plies.
void export_games(const ExportJob& job, RowFormat format, ByteSink& sink);
/// A row per ply, the start included. Games that cannot be replayed have none.
void export_plies(const ExportJob& job, RowFormat format, ByteSink& sink);
/// A row per distinct position; fen is as it stood when it was first reached.
std::uint64_t export_position_rows(const ExportJob& job, const PositionChoice& choice,
                                   RowFormat format, ByteSink& sink);

}  // namespace fendex::emit
