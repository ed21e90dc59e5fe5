// Sums over the facts of many games, and their best rated and latest ones.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codec/big_position.hpp"
#include "codec/named_games.hpp"

namespace fendex::store {

/// Offers only games that can be among the named ones. Games must be added in ascending order, so a
/// game with the same rank as the last named one cannot replace it.
class Offers {
  public:
    explicit Offers(codec::NamedGames& named) : named_(named) { set_bar(); }

    [[gnu::always_inline]] void add(std::uint64_t game, std::uint64_t rank) {
        if (rank >= bar_) offer(game, rank);
    }

  private:
    [[gnu::noinline]] void offer(std::uint64_t game, std::uint64_t rank) {
        named_.offer(game, rank);
        set_bar();
    }
    void set_bar() {
        const auto& entries = named_.entries();
        bar_ = !named_.is_full() ? 0 : entries.empty() ? UINT64_MAX : entries.back().rank + 1;
    }

    codec::NamedGames& named_;
    std::uint64_t bar_ = 0;
};

/// Does the same as Tally::add_game() for each game, but keeps the sums in registers. In a large
/// database, sums over all games take most of the time of a filtered query.
class FactSums {
  public:
    /// Offers the games to `top` and `recent`.
    FactSums(codec::NamedGames& top, codec::NamedGames& recent) : top_(top), recent_(recent) {}

    /// Adds a game. `result` is less than the number of results. Games must be added in ascending
    /// order.
    [[gnu::always_inline]] void add(std::uint32_t game, std::uint32_t result, std::uint32_t white,
                                    std::uint32_t black, std::uint32_t date) {
        ++games_;
        ++results_.by_code[result];
        white_sum_ += white;
        white_games_ += white != 0 ? 1U : 0U;
        black_sum_ += black;
        black_games_ += black != 0 ? 1U : 0U;
        first_date_ = std::min(first_date_, date - 1);
        last_date_ = std::max(last_date_, date);
        top_.add(game, std::uint64_t{white} + black);
        recent_.add(game, date);
    }

    /// Returns the sums, without occurrences.
    [[nodiscard]] codec::Tally tally() const {
        codec::Tally tally;
        tally.games = games_;
        tally.results = results_;
        tally.white_elo_sum = white_sum_;
        tally.white_elo_games = white_games_;
        tally.black_elo_sum = black_sum_;
        tally.black_elo_games = black_games_;
        tally.first_date = first_date_ + 1;
        tally.last_date = last_date_;
        return tally;
    }

  private:
    Offers top_;
    Offers recent_;
    codec::ResultCounts results_;
    std::uint64_t games_ = 0;
    std::uint64_t white_sum_ = 0;
    std::uint64_t white_games_ = 0;
    std::uint64_t black_sum_ = 0;
    std::uint64_t black_games_ = 0;
    std::uint32_t first_date_ = UINT32_MAX;  // date - 1: no date (0) becomes the maximum
    std::uint32_t last_date_ = 0;
};

}  // namespace fendex::store
