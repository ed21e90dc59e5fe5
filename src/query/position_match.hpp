// How exactly a position must match: the same position, the same placement with any side to move
// and any castling rights, or also its mirror image. A loose question becomes a few exact ones,
// each with its own key and one look-up, so nothing is scanned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"

namespace fendex::query {

enum class Match {
    kExact,
    kBoard,     // any side to move, castling rights and en passant file the placement allows
    kMirrored,  // the same with colours exchanged, too; not in Horde and Racing Kings
};
/// Reads "exact", "board" or "mirrored"; throws std::invalid_argument.
Match match_of(std::string_view name);

/// A position that matches a question.
struct MatchingPosition {
    chess::AnyPosition position;
    bool mirrored = false;  // colours are exchanged
};

/// Returns why a variant does not allow this match, in words; empty if it does.
std::string reason_against(Match match, chess::Variant variant);

/// Returns the positions that match, the given one first, without repeating one. Throws
/// std::invalid_argument if there is a reason_against() the match.
std::vector<MatchingPosition> matching_positions(const chess::AnyPosition& position, Match match);

}  // namespace fendex::query
