// What counts as the position asked for: it alone, its placement whoever is to move and may castle,
// or its mirror image as well. A looser question is a few exact ones, since a key is a XOR of
// terms: each is a look-up of its own, none is a scan.
#pragma once

#include <string_view>
#include <vector>

#include "chess/any_position.hpp"

namespace fendex::query {

enum class Match {
    kExact,
    kBoard,     // any side to move, castling rights and en passant file the placement allows
    kMirrored,  // the same with colours exchanged, too; not in Horde and Racing Kings
};
/// "exact", "board", "mirrored"; throws std::invalid_argument.
Match match_of(std::string_view name);

/// A position that answers a question.
struct Target {
    chess::AnyPosition position;
    bool mirrored = false;  // colours are exchanged against what was asked
};

/// The position itself first; no two are the same.
std::vector<Target> targets_of(const chess::AnyPosition& position, Match match);

/// Whether both sides of a variant play by the same rules on boards that mirror each other.
bool can_be_mirrored(chess::Variant variant);
/// Colours exchanged: what White could do there, Black can do here. Of a variant that can be.
chess::AnyPosition mirrored(const chess::AnyPosition& position);
chess::Move mirrored(chess::Move move);

}  // namespace fendex::query
