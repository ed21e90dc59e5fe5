#include "query/sequence_matcher.hpp"

#include <algorithm>
#include <utility>

namespace fendex::query {

using chess::MoveKind;
using chess::Square;

SequenceMatcher::SequenceMatcher(const std::vector<PatternStep>& steps)
    : steps_(steps),
      sides_(static_cast<unsigned>(steps.front().moves.size())),
      materials_(steps.size()),
      matches_(sides_ * steps.size()) {}

bool SequenceMatcher::has_matched(std::size_t step) const {
    for (unsigned side = 0; side < sides_; ++side) {
        if (!matches_[side * steps_.size() + step].empty()) return true;
    }
    return std::ranges::any_of(walkers_, [&](const Walker& each) { return each.step == step; });
}

void SequenceMatcher::note(unsigned side, std::size_t step, std::uint32_t ply) {
    const MoveCondition& move = steps_[step].moves[side];
    if (move.route.empty()) {
        matches(side, step).push_back({ply, {}});
    } else {
        walkers_.push_back({side, step, chess::lowest(move.to), {ply, {}}});
    }
}

void SequenceMatcher::follow_routes(std::uint32_t ply, chess::Move move, chess::Color side) {
    if (move.kind() == MoveKind::kNull) return;
    std::erase_if(walkers_, [&](Walker& each) { return !follow_route(each, ply, move, side); });
}

/// Returns whether the piece is still on its route: it has not gone elsewhere, it was not captured,
/// and it has not arrived.
bool SequenceMatcher::follow_route(Walker& walker, std::uint32_t ply, chess::Move move,
                                   chess::Color side) {
    if (move.kind() == MoveKind::kCastle) {
        const bool is_short = move.to() > move.from();
        for (const Square square : {move.from(), move.to(), chess::castled_king(side, is_short),
                                    chess::castled_rook(side, is_short)}) {
            if (square == walker.square) return false;
        }
        return true;
    }
    if (move.kind() == MoveKind::kDrop || move.from() != walker.square) {
        const Square captured =
            move.kind() == MoveKind::kEnPassant ? move.to() ^ 8U : Square{move.to()};
        return captured != walker.square;
    }
    const std::vector<Square>& route = steps_[walker.step].moves[walker.side].route;
    if (move.to() != route[walker.match.route.size()]) return false;
    walker.square = move.to();
    walker.match.route.push_back(ply);
    if (walker.match.route.size() < route.size()) return true;
    matches(walker.side, walker.step).push_back(std::move(walker.match));
    return false;
}

/// Keeps the matches of each step from which the last step can be reached.
void SequenceMatcher::drop_without_end(unsigned side) {
    for (std::size_t i = steps_.size(); i-- > 0;) {
        std::vector<StepMatch>& all = matches(side, i);
        std::ranges::sort(all, {},
                          &StepMatch::begin);  // those of a route are in order of their end
        if (i + 1 == steps_.size()) continue;
        const std::vector<StepMatch>& later = matches(side, i + 1);
        std::erase_if(all, [&](const StepMatch& each) {
            const auto next = std::ranges::upper_bound(later, each.end(), {}, &StepMatch::begin);
            return next == later.end() || next->begin - each.end() > steps_[i + 1].within;
        });
    }
}

/// Appends the plies of the first match.
void SequenceMatcher::append_plies(unsigned side, std::vector<std::uint32_t>& plies) {
    std::uint32_t end = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const std::vector<StepMatch>& all = matches(side, i);
        const auto next =
            i == 0 ? all.begin() : std::ranges::upper_bound(all, end, {}, &StepMatch::begin);
        plies.push_back(next->begin);
        plies.insert(plies.end(), next->route.begin(), next->route.end());
        end = next->end();
    }
}

void SequenceMatcher::finish(std::vector<std::uint32_t>& begins,
                             std::vector<std::uint32_t>& first) {
    begins.clear();
    first.clear();
    for (unsigned side = 0; side < sides_; ++side) {
        drop_without_end(side);
        for (const StepMatch& each : matches(side, 0)) begins.push_back(each.begin);
    }
    std::ranges::sort(begins);
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    if (begins.empty()) return;
    unsigned side = 0;
    while (matches(side, 0).empty() || matches(side, 0).front().begin != begins.front()) ++side;
    append_plies(side, first);
    if (first.size() == 1) first.clear();
}

}  // namespace fendex::query
