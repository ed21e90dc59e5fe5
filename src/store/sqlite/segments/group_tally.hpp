// Sums up one group of a big position, posting by posting in the order of games.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "codec/big_position.hpp"
#include "codec/named_games.hpp"

namespace fendex::store {

class GroupTally {
  public:
    /// Adds a posting. Returns whether the game is new in the group. `game` counts from the
    /// segment's first game. facts() is called once for each game.
    template <typename Facts>
    bool add(std::uint32_t game, Facts facts) {
        ++tally_.occurrences;
        if (game == last_) return false;
        last_ = game;
        const codec::GameFacts known = facts();
        tally_.add_game(known);
        top_.offer(game, codec::rank_by_rating(known));
        recent_.offer(game, codec::rank_by_date(known));
        return true;
    }

    /// Sets the sums of the group. Does not change its move and its chunks.
    void put(codec::GroupSummary& group) const {
        group.tally = tally_;
        group.top_games = games_of(top_);
        group.recent_games = games_of(recent_);
    }

  private:
    static std::vector<std::uint32_t> games_of(const codec::NamedGames& named) {
        std::vector<std::uint32_t> games;
        for (const auto& entry : named.entries()) {
            games.push_back(static_cast<std::uint32_t>(entry.game));
        }
        return games;
    }

    codec::Tally tally_;
    codec::NamedGames top_;
    codec::NamedGames recent_;
    std::uint32_t last_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace fendex::store
