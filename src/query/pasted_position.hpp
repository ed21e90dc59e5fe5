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

/// The names of options in messages.
struct PasteWords {
    std::string_view moves = "--moves";
    std::string_view match_board = "--match board";
};

struct PastedPosition {
    std::string fen;                        // in any dialect, not checked
    std::optional<chess::Variant> variant;  // if the address names one
    std::string problem;  // if not empty: the text is not usable, and this says what to do
};

/// Reads a pasted text. Text of no known form becomes the FEN, trimmed. A bare placement is
/// completed only if `match` is Match::kBoard.
PastedPosition pasted_position(const std::string& text, Match match, const PasteWords& words = {});

/// Returns why the text is not a FEN. If it is a list of moves or a bare placement, the reason
/// names the option for that.
std::string reason_of(const std::string& text, const chess::FenError& error,
                      const PasteWords& words = {});

/// Returns whether the text is a position; a bare placement is enough.
bool is_position(const std::string& text);
/// Returns whether the text is a list of moves: it begins with "1.", or its moves can be played
/// from the start position.
bool are_moves(const std::string& text);

}  // namespace fendex::query
