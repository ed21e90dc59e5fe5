// Finds where a game matches the steps of a sequence. It is shown the positions of the game, one
// after another, notes where each step matches, and then chains these matches. One object for each
// thread; it keeps its buffers from game to game.
#pragma once

#include <cstdint>
#include <vector>

#include "query/pattern_sequence.hpp"

namespace fendex::query {

class SequenceMatcher {
  public:
    /// `steps` must outlive the matcher.
    explicit SequenceMatcher(const std::vector<PatternStep>& steps);

    /// Begins a game, at its first position.
    template <typename Board>
    void start(const Board& board) {
        for (std::vector<StepMatch>& each : matches_) each.clear();
        walkers_.clear();
        count_pieces(board);
    }
    /// Looks at the position at `ply` and the move played from it, which is null at the end of the
    /// game. `moved` is the type of the piece that moves.
    template <typename Board>
    void visit(std::uint32_t ply, const Board& board, const chess::Move* move,
               chess::PieceType moved) {
        if (!walkers_.empty() && move != nullptr) follow_routes(ply, *move, board.side_to_move());
        for (unsigned side = 0; side < sides_; ++side) {
            // From the last step to the first: a step follows matches at earlier plies.
            for (std::size_t i = steps_.size(); i-- > 0;) {
                if (i != 0 && matches(side, i - 1).empty()) continue;
                const PatternStep& step = steps_[i];
                if ((materials_[i] >> side & 1U) != 0 &&
                    step.moves[side].matches(board, move, moved) &&
                    step.position.squares_match(board, 1U << side)) {
                    note(side, i, ply);
                }
            }
        }
    }
    /// Call it after each move that changed the numbers of pieces.
    template <typename Board>
    void count_pieces(const Board& board) {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            materials_[i] = steps_[i].position.material_cases(board);
        }
    }
    /// Returns false if no later position can complete a match. The result changes only with
    /// captures and pawn moves.
    template <typename Board>
    bool may_come(const Board& board) const {
        for (std::size_t i = steps_.size(); i-- > 0;) {
            if (has_matched(i)) return true;
            if (!steps_[i].position.may_come(board)) return false;
        }
        return true;
    }

    /// Ends the game. Sets the plies at which a match begins, ascending, and, if a match has
    /// several plies, those of the one that begins first: each step is as early as it can be after
    /// the step before it. Both are empty if nothing matches.
    void finish(std::vector<std::uint32_t>& begins, std::vector<std::uint32_t>& first);

  private:
    struct StepMatch {
        std::uint32_t begin;
        std::vector<std::uint32_t> route;  // the plies of the moves after the first

        std::uint32_t end() const { return route.empty() ? begin : route.back(); }
    };
    /// A piece that has gone some squares of a route.
    struct Walker {
        unsigned side;
        std::size_t step;
        chess::Square square;  // where it is
        StepMatch match;
    };

    std::vector<StepMatch>& matches(unsigned side, std::size_t step) {
        return matches_[side * steps_.size() + step];
    }
    /// Returns whether the step has matched, or is on a route.
    bool has_matched(std::size_t step) const;
    void note(unsigned side, std::size_t step, std::uint32_t ply);
    void follow_routes(std::uint32_t ply, chess::Move move, chess::Color side);
    bool follow_route(Walker& walker, std::uint32_t ply, chess::Move move, chess::Color side);
    void drop_without_end(unsigned side);
    void append_plies(unsigned side, std::vector<std::uint32_t>& plies);

    const std::vector<PatternStep>& steps_;
    unsigned sides_;                   // cases of each step
    std::vector<unsigned> materials_;  // of each step: the cases whose material matches, as bits
    std::vector<std::vector<StepMatch>> matches_;  // of each side and step
    std::vector<Walker> walkers_;
};

}  // namespace fendex::query
