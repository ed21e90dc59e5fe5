#include "query/repertoire_gaps.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>

#include "base/stop_check.hpp"

namespace fendex::query {

namespace {

/// Returns the number of plies before a position by its own move number.
std::uint64_t plies_before(const chess::AnyPosition& position) {
    const bool black = position.side_to_move() == chess::Color::kBlack;
    return 2 * (std::uint64_t{position.fullmove_number()} - 1) + (black ? 1 : 0);
}

/// Returns the depth of each position.
std::vector<std::uint64_t> depths_in(const std::vector<RepertoirePosition>& positions) {
    using Known = std::pair<std::uint64_t, std::size_t>;  // depth, position
    std::vector<std::uint64_t> depths(positions.size(), std::numeric_limits<std::uint64_t>::max());
    std::priority_queue<Known, std::vector<Known>, std::greater<>> next;
    const auto reach = [&](std::size_t position, std::uint64_t depth) {
        if (depth >= depths[position]) return;
        depths[position] = depth;
        next.emplace(depth, position);
    };
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (positions[i].is_start) reach(i, plies_before(positions[i].position));
    }
    while (!next.empty()) {
        const auto [depth, position] = next.top();
        next.pop();
        if (depth != depths[position]) continue;
        for (const auto& reply : positions[position].replies) reach(reply.to, depth + 1);
    }
    return depths;
}

class CoverageSearch {
  public:
    CoverageSearch(const Repertoire& repertoire, std::span<const TreeSource> sources,
                   std::uint64_t min_games, std::stop_token stop)
        : repertoire_(repertoire),
          positions_(repertoire.positions()),
          sources_(sources),
          min_games_(min_games),
          token_(std::move(stop)),
          depths_(depths_in(positions_)) {
        out_.likely.resize(positions_.size());
        out_.covered.resize(positions_.size());
        options_.transpositions = false;
        options_.evaluations = false;
        options_.lists = GameLists::kNone;
    }

    RepertoireCoverage find(chess::Color side) {
        begin_at_starts();
        std::vector<std::size_t> order(positions_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return depths_[i]; });
        base::StopCheck stop(token_);
        for (const std::size_t each : order) {
            stop();
            if (positions_[each].position.side_to_move() == side) {
                choose(each);
            } else {
                answer(each);
            }
        }
        std::ranges::stable_sort(out_.gaps, [](const RepertoireGap& a, const RepertoireGap& b) {
            return std::tuple(a.share, a.games) > std::tuple(b.share, b.games);
        });
        return std::move(out_);
    }

  private:
    bool leads_on(std::size_t from, std::size_t to) const { return depths_[to] > depths_[from]; }

    void begin_at_starts() {
        std::vector<bool> reached(positions_.size());
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            for (const auto& reply : positions_[i].replies) {
                if (leads_on(i, reply.to)) reached[reply.to] = true;
            }
        }
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            if (positions_[i].is_start && !reached[i]) out_.likely[i] = 1;
        }
    }

    void pass(std::size_t from, std::size_t to, double share) {
        if (leads_on(from, to)) out_.likely[to] += out_.likely[from] * share;
    }

    /// The player has the move.
    void choose(std::size_t at) {
        const auto& replies = positions_[at].replies;
        for (const auto& reply : replies) {
            pass(at, reply.to, 1 / static_cast<double>(replies.size()));
        }
    }

    /// The opponent has the move.
    void answer(std::size_t at) {
        const Tree tree = opening_tree(sources_, positions_[at].position, options_, token_);
        const auto all = static_cast<double>(tree.total.games);
        const bool goes_on = !positions_[at].replies.empty();
        std::uint64_t covered_games = 0;
        std::uint64_t moved_games = 0;
        for (const TreeMove& move : tree.moves) {
            const std::uint64_t games = move.tally.games;
            const double share = static_cast<double>(games) / all;
            moved_games += games;
            if (const auto covered = repertoire_.find(move.after)) {
                covered_games += games;
                pass(at, *covered, share);
            } else if (goes_on && out_.likely[at] != 0 && games >= min_games_) {
                out_.gaps.push_back({at, move.san, games, out_.likely[at] * share});
            }
        }
        if (goes_on && moved_games != 0) {
            out_.covered[at] =
                static_cast<double>(covered_games) / static_cast<double>(moved_games);
        }
    }

    const Repertoire& repertoire_;
    const std::vector<RepertoirePosition>& positions_;
    std::span<const TreeSource> sources_;
    std::uint64_t min_games_;
    std::stop_token token_;
    TreeOptions options_;
    std::vector<std::uint64_t> depths_;
    RepertoireCoverage out_;
};

}  // namespace

RepertoireCoverage coverage_of(const Repertoire& repertoire, chess::Color side,
                               std::span<const TreeSource> sources, std::uint64_t min_games,
                               std::stop_token stop) {
    return CoverageSearch(repertoire, sources, min_games, std::move(stop)).find(side);
}

}  // namespace fendex::query
