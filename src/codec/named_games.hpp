// Only a few of the many games that reached a position are named: the best rated and the latest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "codec/game_facts.hpp"

namespace fendex::codec {

/// How many games are named. Do not change: on disk, in summaries.
inline constexpr std::size_t kNamedGames = 4;

/// Sum of both players' ratings. An unknown rating counts as 0, so such games come after nearly all
/// others. Lists of games are sorted by this number too.
inline std::uint64_t rank_by_rating(const GameFacts& facts) {
    return std::uint64_t{facts.white_elo} + facts.black_elo;
}
inline std::uint64_t rank_by_date(const GameFacts& facts) { return facts.date.number(); }

/// Both ranks of a game.
struct GameRanks {
    std::uint64_t rating = 0;
    Date date;

    bool operator==(const GameRanks&) const = default;
};
inline GameRanks ranks_of(const GameFacts& facts) { return {rank_by_rating(facts), facts.date}; }

/// Keeps the `most` highest ranks that were offered; among equal ranks it keeps the lowest game
/// numbers.
class NamedGames {
  public:
    explicit NamedGames(std::size_t most = kNamedGames) : most_(most) {}

    struct Entry {
        std::uint64_t rank = 0;
        std::uint64_t game = 0;
    };

    void offer(std::uint64_t game, std::uint64_t rank) {
        const Entry entry{rank, game};
        if (is_full() && (most_ == 0 || !before(entry, best_.back()))) return;
        best_.insert(std::upper_bound(best_.begin(), best_.end(), entry, before), entry);
        if (best_.size() > most_) best_.pop_back();
    }
    /// Returns whether the list is full. Then a game must come before the last entry to be kept.
    bool is_full() const { return best_.size() >= most_; }
    /// Highest rank first.
    const std::vector<Entry>& entries() const { return best_; }

  private:
    static bool before(const Entry& a, const Entry& b) {
        return a.rank != b.rank ? a.rank > b.rank : a.game < b.game;
    }
    std::size_t most_;
    std::vector<Entry> best_;
};

}  // namespace fendex::codec
