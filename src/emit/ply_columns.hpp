// The columns that rows of plies may have, by name. A row is a position of a game: `san` and `uci`
// are the move that led to it, `next_san` and `next_uci` the move that was played from it. Clocks
// are those that follow the move that led to it; evaluations are of the position: the game's own,
// which follows that move, or else that of a record.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::emit {

enum class PlyColumn : std::uint8_t {
    kGameId,
    kPly,
    kSan,
    kUci,
    kNextSan,
    kNextUci,
    kKey,
    kFen,
    kEpd,
    kOccurrence,
    kMaterial,    // "KRPvKR"
    kBalance,     // White's pieces less Black's, in pawns
    kOpening,     // the last named position so far
    kOpeningEco,  // its code
    kClock,
    kEmt,
    kEval,
    kMate,
    kDepth,
    kSwing,  // what the move that led to it lost, in centipawns
    kBest,   // what should have been played instead, by a record
    kWhite,
    kBlack,
    kResult,
    kDate,
    kEvent,
    kSite,
    kRound,
    kWhiteElo,
    kBlackElo,
    kEco,  // the tag
    kPlies,
    kTimeClass,
    kMode,
    kVariant,
    kTimeControl,  // the tag
    kTermination,  // the tag
};
inline constexpr std::size_t kPlyColumnCount = 37;
/// In the order of PlyColumn.
inline constexpr std::array<std::string_view, kPlyColumnCount> kPlyColumnNames = {
    "game_id",      "ply",        "san",        "uci",      "next_san",   "next_uci", "key",
    "fen",          "epd",        "occurrence", "material", "balance",    "opening",  "opening_eco",
    "clock",        "emt",        "eval",       "mate",     "depth",      "swing",    "best",
    "white",        "black",      "result",     "date",     "event",      "site",     "round",
    "white_elo",    "black_elo",  "eco",        "plies",    "time_class", "mode",     "variant",
    "time_control", "termination"};

std::string_view name_of(PlyColumn column);
/// "game_id, ply, san, ...".
std::string ply_column_names();

/// True for columns with one value for all rows of a game.
bool is_of_game(PlyColumn column);

/// The columns of `ply` in SQL.
std::vector<PlyColumn> default_ply_columns();
/// The columns of `show --plies`.
std::vector<PlyColumn> shown_ply_columns();
/// Reads names separated by commas. Throws std::invalid_argument if a name is unknown (the message
/// lists all names) or is there twice.
std::vector<PlyColumn> ply_columns_of(std::string_view names);

}  // namespace fendex::emit
