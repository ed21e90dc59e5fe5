// The positions of a game's variations, found by replaying the moves that were written down. Where
// a variation cannot be read on, the rest of it has no positions, nor what is nested in that rest.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "chess/any_position.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// A move of a variation and the position behind it.
struct VariationNode {
    std::uint32_t number = 0;  // from 1, in the order of the text
    std::uint32_t ply = 0;     // moves played since the start of the game
    chess::AnyPosition position;
    /// The moves from where the node's variation, or that around it, left the game; empty where
    /// lines were not asked for.
    const std::string& line;
};

class VariationVisitor {
  public:
    virtual ~VariationVisitor() = default;
    virtual void node(const VariationNode& node) = 0;
    /// In its variation, a node is followed by this move.
    virtual void next(std::uint32_t node, chess::Move move) {
        static_cast<void>(node);
        static_cast<void>(move);
    }
};

/// `annotation` as StoreReader has it. `lines`: whether the nodes' lines are wanted. Throws
/// StoreError where what is stored is damaged.
void walk_variations(store::GameId game, const store::StoredMoves& moves,
                     std::string_view annotation, bool lines, VariationVisitor& visitor);

}  // namespace fendex::replay
