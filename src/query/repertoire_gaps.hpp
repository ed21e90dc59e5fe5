// The gaps of a repertoire: replies of the opponent that games of databases have and the lines do
// not, at positions where the lines have other replies.
//
// A reply is covered if the lines have the position after it, by whatever moves they reach it. The
// share of a gap is the probability that the opponent gets there while the player keeps to the
// lines: that of its position, times the share of the reply among the games that reached the
// position. The probability of a position is the sum over the moves that lead to it: the
// probability of the position before, times
// - for a move of the player, one divided by the number of moves that the lines have there;
// - for a move of the opponent, its share of the games. It need not be a move of the lines.
// Only moves to a position that is deeper in the lines count, so that repetitions are not counted
// again. The depth of a position is the least number of moves in the lines before it, counted from
// the move number of their start. A start is certain if no such move of the lines leads to it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "query/opening_tree.hpp"
#include "query/repertoire.hpp"

namespace fendex::query {

struct RepertoireGap {
    std::size_t at = 0;  // index of the position
    std::string san;     // the reply
    std::uint64_t games = 0;
    double share = 0;  // 0 to 1
};

/// What games played at the positions of a repertoire. Indexes are those of its positions.
struct RepertoireCoverage {
    std::vector<double> likely;  // the probability of each position
    /// Of the moves that opponents played at a position, the share of those that are covered. Empty
    /// at the player's positions, and if the lines end there or no game went on.
    std::vector<std::optional<double>> covered;
    std::vector<RepertoireGap> gaps;  // the most likely first
};

/// Leaves out gaps that fewer than `min_games` games played. The games are those that the searches'
/// filter accepts. Throws base::Stopped after a stop was requested.
[[nodiscard]] RepertoireCoverage coverage_of(const Repertoire& repertoire, chess::Color side,
                                             std::span<const TreeSource> sources,
                                             std::uint64_t min_games, std::stop_token stop = {});

}  // namespace fendex::query
