// Replays a stored game on the kind of position of its variant.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "chess/any_position.hpp"
#include "chess/variant_names.hpp"
#include "codec/game_walk.hpp"
#include "store/records.hpp"

namespace fendex::replay {

/// Returns whether the game has positions; it has none if its rules or its start are unknown.
inline bool has_positions(const store::StoredMoves& moves) {
    return moves.facts.variant != chess::Variant::kOther;
}

// Return the start of a game of standard chess or Chess960, or of a variant. Throw StoreError if
// the stored start is not such a position.
chess::Position start_position(store::GameId game, const store::StoredMoves& moves);
chess::VariantPosition variant_start_position(store::GameId game, const store::StoredMoves& moves);

[[noreturn]] void throw_damaged_moves(store::GameId game, std::uint32_t ply);
[[noreturn]] void throw_damaged_annotation(store::GameId game);

/// Throws StoreError if the stored moves could not be decoded.
template <typename Position>
void require_intact(store::GameId game, const codec::BasicGameWalk<Position>& walk) {
    if (walk.corrupt()) throw_damaged_moves(game, walk.ply());
}

/// Walks through a game of standard chess or Chess960.
inline codec::GameWalk walk(store::GameId game, const store::StoredMoves& moves) {
    return {start_position(game, moves), moves.moves, moves.facts.plies};
}

/// Calls use(walk) with the walk through a game that has positions: a codec::GameWalk or a
/// codec::VariantWalk, which is chosen here, once. Throws StoreError if the start is not a position
/// or the moves cannot be decoded. The walk has views into `moves`.
template <typename Use>
void with_walk(store::GameId game, const store::StoredMoves& moves, Use&& use) {
    const auto go = [&](auto walk) {
        use(walk);
        require_intact(game, walk);
    };
    if (chess::has_standard_rules(moves.facts.variant)) {
        go(walk(game, moves));
    } else if (has_positions(moves)) {
        go(codec::VariantWalk(variant_start_position(game, moves), moves.moves, moves.facts.plies));
    }
}

/// Calls visit(walk) at each position of a game that has positions. Throws like with_walk().
template <typename Visit>
void for_each_position(store::GameId game, const store::StoredMoves& moves, Visit visit) {
    with_walk(game, moves, [&](auto& walk) {
        for (;; walk.advance()) {
            visit(walk);
            if (walk.at_end()) break;
        }
    });
}

/// A walk of either kind, for callers that keep it between plies and do so much at each ply that
/// the branch costs nothing.
class AnyWalk {
  public:
    /// Walks through a game that has positions. Throws like with_walk(). Has views into `moves`.
    AnyWalk(store::GameId game, const store::StoredMoves& moves);

    template <typename Use>
    decltype(auto) visit(Use&& use) const {
        return std::visit(std::forward<Use>(use), walk_);
    }
    chess::AnyPosition position() const {
        return visit([](const auto& walk) { return chess::AnyPosition(walk.position()); });
    }
    std::uint32_t ply() const {
        return visit([](const auto& walk) { return walk.ply(); });
    }
    bool at_end() const {
        return visit([](const auto& walk) { return walk.at_end(); });
    }
    chess::Move next_move() const {
        return visit([](const auto& walk) { return walk.next_move(); });
    }
    void advance() {
        std::visit([](auto& walk) { walk.advance(); }, walk_);
    }
    /// Throws StoreError if the stored moves could not be decoded.
    void require_intact() const {
        visit([&](const auto& walk) { replay::require_intact(game_, walk); });
    }

  private:
    store::GameId game_;
    std::variant<codec::GameWalk, codec::VariantWalk> walk_;
};

}  // namespace fendex::replay
