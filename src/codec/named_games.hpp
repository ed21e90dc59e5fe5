// The few games that are named where many reached a position: the best rated, the latest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "codec/game_facts.hpp"

namespace fendex::codec {

/// How many are named. Stored in summaries.
inline constexpr std::size_t kNamedGames = 4;

/// Both players' ratings count.
inline std::uint64_t rank_by_rating(const GameFacts& facts) {
    return std::uint64_t{facts.white_elo} + facts.black_elo;
}
inline std::uint64_t rank_by_date(const GameFacts& facts) { return facts.date; }

/// Keeps the highest ranks it was offered; of equals those with the lowest number.
class NamedGames {
  public:
    struct Entry {
        std::uint64_t rank = 0;
        std::uint64_t game = 0;
    };

    void offer(std::uint64_t game, std::uint64_t rank) {
        const Entry entry{rank, game};
        if (best_.size() == kNamedGames && !before(entry, best_.back())) return;
        best_.insert(std::upper_bound(best_.begin(), best_.end(), entry, before), entry);
        if (best_.size() > kNamedGames) best_.pop_back();
    }
    /// The highest rank first.
    const std::vector<Entry>& entries() const { return best_; }

  private:
    static bool before(const Entry& a, const Entry& b) {
        return a.rank != b.rank ? a.rank > b.rank : a.game < b.game;
    }
    std::vector<Entry> best_;
};

}  // namespace fendex::codec
