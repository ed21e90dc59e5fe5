// What a search looks for in a game: one step or several, one after another. Each step is a
// pattern of the position, a condition on the move that is played from it, or both.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "query/move_condition.hpp"
#include "query/position_pattern.hpp"

namespace fendex::query {

struct PatternStep {
    static constexpr std::uint32_t kAnyTime = std::numeric_limits<std::uint32_t>::max();

    /// Its cases and `moves` belong together, one by one: the step as it was written and, if
    /// colours may be exchanged, the step for the other side.
    PositionPattern position;
    std::vector<MoveCondition> moves;
    /// The step begins at most so many plies after the end of the one before.
    std::uint32_t within = kAnyTime;

    /// Returns the number of plies that the step is reported with.
    [[nodiscard]] std::size_t length() const { return 1 + moves.front().route.size(); }
};

class PatternSequence {
  public:
    /// One step, the pattern.
    PatternSequence(PositionPattern pattern)  // NOLINT: a pattern is a sequence
        : positions_(std::move(pattern)) {}
    explicit PatternSequence(std::vector<PatternStep> steps)
        : positions_(steps.front().position), steps_(std::move(steps)) {}

    /// Returns whether there is one step, without a condition on its move.
    [[nodiscard]] bool is_position() const { return steps_.empty(); }
    /// The pattern of the first step.
    [[nodiscard]] const PositionPattern& positions() const { return positions_; }
    /// The steps, unless is_position().
    [[nodiscard]] const std::vector<PatternStep>& steps() const { return steps_; }
    /// Returns whether a match has several plies.
    [[nodiscard]] bool has_steps() const {
        return steps_.size() > 1 || (!steps_.empty() && steps_.front().length() > 1);
    }
    /// Returns conditions, at least one of which holds for every matching game.
    [[nodiscard]] std::vector<codec::SignatureCondition> conditions() const;

  private:
    PositionPattern positions_;
    std::vector<PatternStep> steps_;
};

}  // namespace fendex::query
