// Checks whether a setup makes sense as a position. FENs and all other setups are checked here.
// Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "chess/position.hpp"
#include "chess/variant_position.hpp"

namespace fendex::chess {

/// An error: the field of a FEN ("placement", "side", "castling", "en passant", "halfmove",
/// "fullmove", "position", "fen") and the reason in words.
struct FenError {
    std::string_view field;
    std::string reason;
};

Bitboard squares_of(const Setup& setup, Piece piece);

/// Checks the numbers of pieces and kings, and the squares of pawns. Empty if nothing is wrong.
[[nodiscard]] std::optional<FenError> placement_error(const VariantSetup& setup, Variant variant);
/// Returns why a side cannot have any castling right (its king is not at home). Empty if it can.
std::string_view why_no_castling(const Setup& setup, Color c);
/// Returns whether each right has its rook and king, and no king has two rights on one side.
[[nodiscard]] bool castling_is_possible(const Setup& setup);
/// Returns why a pawn cannot have passed `square` with the last move; empty if it can.
std::string why_no_en_passant(const Setup& setup, Square square);
/// Checks a position whose setup has passed the checks above: the side that is not to move must not
/// be in check.
[[nodiscard]] std::optional<FenError> position_error(const Position& position);
[[nodiscard]] std::optional<FenError> position_error(const VariantPosition& position);

/// "white", "black".
std::string_view name_of(Color c);
template <Board B>
VariantSetup setup_of(const B& position);

}  // namespace fendex::chess
