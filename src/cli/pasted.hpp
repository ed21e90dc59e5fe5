// What people paste where a FEN is wanted: addresses of Lichess and Chess.com, `startpos`, a bare
// placement, moves. It becomes a FEN, or a message names what to do instead.
#pragma once

#include <optional>
#include <string>

#include "chess/fen.hpp"
#include "chess/variant_names.hpp"
#include "cli/arguments.hpp"
#include "query/position_match.hpp"

namespace fendex::cli {

struct PastedPosition {
    std::string fen;                        // in any dialect, not checked
    std::optional<chess::Variant> variant;  // as the address says it
    std::string problem;                    // not empty: there is no FEN, and this is what to do
};

/// Text that is none of these comes back as it is. `match` says whether a placement suffices.
PastedPosition pasted_position(const std::string& text, query::Match match);

/// Why the text is no FEN, with the option that is meant if it is something else.
std::string reason_of(const std::string& text, const chess::FenError& error);

/// Whether the word begins a position, rather than going on with one that was split at its blanks.
bool begins_position(const std::string& word);

/// Whether the text is a position, if only its board.
bool is_position(const std::string& text);
/// Whether the text is moves that can be played from the start, or begins as only they do.
bool are_moves(const std::string& text);

}  // namespace fendex::cli
