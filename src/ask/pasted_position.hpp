// Reads a position from what people type or paste: a FEN or EPD in any dialect, also in quotation
// marks or as a tag pair, addresses of Lichess and Chess.com, `startpos`, a bare placement. The one
// reader of positions for every surface.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "chess/fen.hpp"
#include "chess/variant_names.hpp"
#include "query/position_match.hpp"

namespace fendex::ask {

using query::Match;

/// The names of options in messages.
struct PasteWords {
    std::string_view moves = "--moves";
    std::string_view match_board = "--match board";
};

/// A text that was read as a position.
struct PositionText {
    std::optional<chess::AnyPosition> position;  // empty: problem, or else fen.error, says why
    chess::FenResult fen;
    /// The variant of the question, or else the one that the text shows.
    std::optional<chess::Variant> variant;
    std::string problem;  // what to give instead, if the text is of another known kind
};

/// Reads a text as a position of `variant`; if that is empty, of the variant that the text shows.
/// A bare placement is completed only if `match` is Match::kBoard.
[[nodiscard]] PositionText read_position(const std::string& text,
                                         std::optional<chess::Variant> variant,
                                         Match match = Match::kExact, const PasteWords& words = {},
                                         chess::FenMode mode = chess::FenMode::kStrict);

/// Returns whether the text has eight ranks and nothing else.
bool is_placement(std::string_view text);

}  // namespace fendex::ask
