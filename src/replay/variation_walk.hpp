// Finds the positions of a game's variations by replaying the moves in their text. If a move of a
// variation cannot be read, the rest of the variation, including everything nested in it, has no
// positions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "chess/any_position.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// A move of a variation and the position after it.
struct VariationNode {
    std::uint32_t number = 0;  // from 1, in the order of the text
    std::uint32_t ply = 0;     // moves played since the start of the game
    chess::AnyPosition before;
    chess::Move move;
    chess::AnyPosition position;
    /// The moves since the node's line left the game; empty if lines are not wanted.
    const std::string& line;
};

class VariationVisitor {
  public:
    virtual ~VariationVisitor() = default;
    virtual void node(const VariationNode& node) = 0;
    /// Called with the move that follows a node in its variation.
    virtual void next(std::uint32_t node, chess::Move move) {
        static_cast<void>(node);
        static_cast<void>(move);
    }
    /// Called with a word that should be a move after ply `ply`, but cannot be played there.
    virtual void unread(std::uint32_t ply, std::string_view word, std::string_view reason) {
        static_cast<void>(ply);
        static_cast<void>(word);
        static_cast<void>(reason);
    }
};

/// Calls the visitor for each node. `annotation` is the stream of StoreReader::annotation(). Nodes
/// have lines only if `lines` is true. Throws StoreError if the stored data is damaged.
void walk_variations(store::GameId game, const store::StoredMoves& moves,
                     std::string_view annotation, bool lines, VariationVisitor& visitor);

}  // namespace fendex::replay
