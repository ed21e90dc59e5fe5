// Reads what people paste instead of a FEN: addresses of Lichess and Chess.com, `startpos`, a bare
// placement, moves. The result is a FEN, or a message that says what to give instead.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "chess/fen.hpp"
#include "chess/variant_names.hpp"
#include "query/position_match.hpp"

namespace fendex::query {

/// How messages name what to give instead.
struct PasteWords {
    std::string_view moves = "--moves";
    std::string_view match_board = "--match board";
};

struct PastedPosition {
    std::string fen;                        // in any dialect, not checked
    std::optional<chess::Variant> variant;  // if the address names one
    std::string problem;  // if not empty: there is no FEN, and this says what to do
};

/// Returns other text unchanged. `match` says whether a bare placement is enough.
PastedPosition pasted_position(const std::string& text, Match match, const PasteWords& words = {});

/// Says why the text is not a FEN, and names the right option if it is something else.
std::string reason_of(const std::string& text, const chess::FenError& error,
                      const PasteWords& words = {});

/// Returns whether the text is a position, if only its placement.
bool is_position(const std::string& text);
/// Returns whether the text is a list of moves: they can be played from the start, or it begins as
/// only a list of moves does.
bool are_moves(const std::string& text);

}  // namespace fendex::query
