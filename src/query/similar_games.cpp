#include "query/similar_games.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace fendex::query {

namespace {

using store::GameId;

/// Forms groups of pairs, the most certain first; among equals, the longest games. All games of a
/// group are paired with its first one: a short record that begins two games must not make them
/// one.
class Grouping {
  public:
    explicit Grouping(std::vector<SimilarPair> pairs) : pairs_(std::move(pairs)) {
        std::ranges::sort(pairs_, {}, [](const SimilarPair& each) {
            return std::tuple(each.games(), ~each.score);
        });
        pairs_.erase(std::unique(pairs_.begin(), pairs_.end(),
                                 [](const SimilarPair& a, const SimilarPair& b) {
                                     return a.games() == b.games();
                                 }),
                     pairs_.end());
    }

    /// Adds the copies of games of groups.
    std::vector<SimilarGames> groups(
        const std::vector<std::pair<std::uint32_t, std::uint32_t>>& copies) {
        std::vector<SimilarPair> by_score = pairs_;
        for (SimilarPair& pair : by_score) {
            if (pair.first_rank <= pair.second_rank) continue;
            std::swap(pair.first, pair.second);
            std::swap(pair.first_rank, pair.second_rank);
        }
        std::ranges::stable_sort(by_score, {}, [](const SimilarPair& each) {
            return std::tuple(~each.score, each.first_rank, each.second_rank);
        });
        for (const SimilarPair& pair : by_score) join(pair);
        for (const auto& [game, copy] : copies) {
            const auto group = group_of_.find(game);
            if (group != group_of_.end()) groups_[group->second].games.push_back(copy);
        }
        std::erase_if(groups_, [](const SimilarGames& each) { return each.games.empty(); });
        for (SimilarGames& each : groups_) std::ranges::sort(each.games);
        std::ranges::sort(groups_, {}, &SimilarGames::games);
        return std::move(groups_);
    }

  private:
    void join(const SimilarPair& pair) {
        const auto first = group_of_.find(pair.first);
        const auto second = group_of_.find(pair.second);
        if (first == group_of_.end() && second == group_of_.end()) {
            group_of_[pair.first] = group_of_[pair.second] = groups_.size();
            groups_.push_back({{pair.first, pair.second}, pair.score});
        } else if (first == group_of_.end()) {
            add(pair.first, second->second, pair.score);
        } else if (second == group_of_.end()) {
            add(pair.second, first->second, pair.score);
        } else if (first->second != second->second) {
            merge(first->second, second->second, pair.score);
        }
    }

    void add(std::uint32_t game, std::size_t group, unsigned score) {
        if (!are_paired(game, groups_[group].games.front())) return;
        groups_[group].games.push_back(game);
        groups_[group].score = std::min(groups_[group].score, score);
        group_of_[game] = group;
    }

    void merge(std::size_t into, std::size_t from, unsigned score) {
        const GameId center = groups_[into].games.front();
        const bool paired = std::ranges::all_of(
            groups_[from].games, [&](GameId each) { return are_paired(each, center); });
        if (!paired) return;
        for (const GameId each : groups_[from].games) {
            groups_[into].games.push_back(each);
            group_of_[static_cast<std::uint32_t>(each)] = into;
        }
        groups_[into].score = std::min({groups_[into].score, groups_[from].score, score});
        groups_[from].games.clear();
    }

    bool are_paired(GameId a, GameId b) const {
        const auto [first, second] = std::minmax(a, b);
        return std::ranges::binary_search(pairs_, first << 32 | second, {}, &SimilarPair::games);
    }

    std::vector<SimilarPair> pairs_;  // by games
    std::unordered_map<std::uint32_t, std::size_t> group_of_;
    std::vector<SimilarGames> groups_;
};

}  // namespace

std::vector<SimilarGames> find_similar_games(store::StoreReader& reader, GameMatcher& matcher,
                                             const SimilarResources& resources,
                                             std::stop_token stop) {
    SimilarPairs found = find_similar_pairs(reader, matcher, resources, std::move(stop));
    return Grouping(std::move(found.pairs)).groups(found.copies);
}

}  // namespace fendex::query
