// Games and positions as rows, in JSON lines or CSV, and the rows of `show --plies`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/fen.hpp"
#include "emit/game_batches.hpp"
#include "emit/position_export.hpp"
#include "emit/rows.hpp"

namespace fendex::emit {

/// A column of games: its name, its type as the server's schemas write it ("string?" may be null),
/// what it means if the name does not say it, and its cell, a view into the header.
struct GameColumn {
    std::string_view name;
    std::string_view type;
    std::string_view help;
    Cell (*cell)(const store::GameHeader&);
};
/// The columns that all lists of games share, in their order.
std::span<const GameColumn> game_columns();

/// Appends the names and the cells of these columns.
void append_game_names(std::vector<std::string>& names);
void append_game_cells(const store::GameHeader& game, std::vector<Cell>& cells);

/// The columns of a row for each game: game_id, game_columns(), plies.
std::vector<std::string> columns_of_games();
/// Sets the cells of columns_of_games().
void set_cells(const store::GameHeader& game, std::vector<Cell>& cells);

/// Adds a member for each of game_columns().
void add_game_columns(const store::GameHeader& game, json::Object& object);

/// Calls visit(cells) for every ply of a game, including the start, if the game can be replayed.
/// The cells are those of `first`, then those of shown_ply_columns(), with FENs in `dialect`;
/// evaluations are the game's own, or those of records. Throws StoreError if stored data is
/// damaged.
void for_each_ply_row(store::StoreReader& reader, store::GameId id, const store::StoredMoves& moves,
                      chess::FenDialect dialect, const chess::SanSpelling& spelling,
                      const std::vector<Cell>& first,
                      const std::function<void(const std::vector<Cell>& cells)>& visit);

/// Writes the names of the columns if the format has a line for them and the job wants it.
void write_column_names(const ExportJob& job, RowFormat format,
                        const std::vector<std::string>& columns, ByteSink& sink);

/// Writes a row per game with columns_of_games().
void export_games(const ExportJob& job, RowFormat format, ByteSink& sink);
/// Writes a row per distinct position; its FEN is that of the first occurrence.
std::uint64_t export_position_rows(const ExportJob& job, const PositionChoice& choice,
                                   RowFormat format, ByteSink& sink);

}  // namespace fendex::emit
