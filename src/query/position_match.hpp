// How exactly a position must match: itself, its placement with any side to move and any castling
// rights, or its mirror image as well. A less exact question becomes a few exact ones, because a
// key is a XOR of terms: each is one look-up, and nothing is scanned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chess/any_position.hpp"

namespace fendex::query {

enum class Match {
    kExact,
    kBoard,     // any side to move, castling rights and en passant file the placement allows
    kMirrored,  // it with colours exchanged, too; not in Horde and Racing Kings
};
/// "exact", "board", "mirrored"; throws std::invalid_argument.
Match match_of(std::string_view name);

/// A position that answers a question.
struct Target {
    chess::AnyPosition position;
    bool mirrored = false;  // colours are exchanged against what was asked
};

/// Why positions of a variant cannot be asked for so, in words; empty where they can.
std::string reason_against(Match match, chess::Variant variant);

/// The position itself first; no two are the same. Throws std::invalid_argument where there is a
/// reason_against() it.
std::vector<Target> targets_of(const chess::AnyPosition& position, Match match);

/// Colours exchanged: what White could do there, Black can do here. Of a variant without a
/// reason_against() it.
chess::AnyPosition mirrored(const chess::AnyPosition& position);
chess::Move mirrored(chess::Move move);

}  // namespace fendex::query
