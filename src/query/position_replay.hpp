// Compares the positions of games with those of a question.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/position_search.hpp"
#include "store/store_reader.hpp"

namespace fendex::query {

/// Returns whether a position (standard or variant) matches.
template <typename Position>
bool matches(const Question::Target& target, const Position& position) {
    return position.key() == target.key &&
           (!target.position || target.position->same_as(chess::AnyPosition(position)));
}

/// The targets to look for in a game. Keeps its buffer for the next game.
class Targets {
  public:
    explicit Targets(const Question& question) : question_(question) {}

    /// Returns the targets with these indexes; all of them if there are no indexes.
    std::span<const Question::Target* const> of(std::span<const std::uint32_t> indexes) {
        targets_.clear();
        for (const std::uint32_t i : indexes) targets_.push_back(&question_.targets[i]);
        if (!indexes.empty()) return targets_;
        for (const Question::Target& each : question_.targets) targets_.push_back(&each);
        return targets_;
    }

  private:
    const Question& question_;
    std::vector<const Question::Target*> targets_;
};

/// Replays a game up to ply `last`, or to its end if `last` is empty, and fills `hit`. With `once`,
/// stops at the first ply that matches. Returns false if no position matches.
bool replay(std::span<const Question::Target* const> targets, store::GameId game,
            const store::StoredMoves& moves, std::optional<std::uint32_t> last, bool once,
            Hit& hit);

}  // namespace fendex::query
