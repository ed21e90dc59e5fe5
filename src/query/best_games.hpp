// Chooses the best of the games in many lists, each of which is sorted already: the highest ranks
// and, among equal ranks, the lowest numbers. Only as few games as necessary are ranked, because
// their ranks may have to be read. Belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "chess/types.hpp"
#include "codec/named_games.hpp"
#include "store/records.hpp"

namespace fendex::query {

class BestGames {
  public:
    struct Chosen {
        store::GameId game = 0;
        chess::Move move;  // of the list that it came from
        std::uint64_t rank = 0;
    };

    /// Adds a list of games that played a move. None of them ranks above `most`. The games must
    /// live until choose().
    void add(chess::Move move, std::span<const store::GameId> games, std::uint64_t most);
    void add(chess::Move move, const codec::NamedGames& ranked);

    /// Returns the best games, at most so many, best first. A game of several lists is chosen
    /// once, with the move whose bits come first. Calls rank(game) for some of the games. The lists
    /// are used up.
    std::vector<Chosen> choose(std::size_t most,
                               const std::function<std::uint64_t(store::GameId)>& rank);

  private:
    /// The first of the games that are left of a list.
    struct Head {
        std::uint64_t rank = 0;
        store::GameId game = 0;
        std::uint16_t move = 0;
        bool is_ranked = false;  // otherwise `rank` is a bound
        std::span<const store::GameId> rest;
    };
    static bool comes_later(const Head& a, const Head& b);

    std::vector<Head> heads_;
};

}  // namespace fendex::query
