// Defines how exactly a position must match: the same position; the same placement with any side to
// move and any castling rights; or also the position with colours exchanged. A loose match becomes
// a few exact positions, each with its own key and one look-up, so nothing is scanned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"

namespace fendex::query {

enum class Match {
    kExact,
    kBoard,     // any side to move, castling rights and en passant file that the placement allows
    kMirrored,  // also with colours exchanged; not in Horde and Racing Kings
};
/// Reads "exact", "board" or "mirrored"; throws std::invalid_argument for another text.
Match match_of(std::string_view name);

/// A position that matches a question.
struct MatchingPosition {
    chess::AnyPosition position;
    bool mirrored = false;  // colours are exchanged
};

/// Returns the reason why a variant does not allow this match; empty if it does.
std::string reason_against(Match match, chess::Variant variant);

/// Returns the positions that match, each once, the given one first. Throws std::invalid_argument
/// if reason_against() gives a reason.
std::vector<MatchingPosition> matching_positions(const chess::AnyPosition& position, Match match);

}  // namespace fendex::query
