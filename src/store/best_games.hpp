// Chooses the best games from many sorted lists: those with the highest ranks and, among equal
// ranks, the lowest numbers. Ranks as few games as possible, because a rank may have to be read
// from the database. Belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "chess/types.hpp"
#include "codec/named_games.hpp"
#include "store/engine.hpp"

namespace fendex::store {

class BestGames {
  public:
    using Chosen = Engine::NamedGame;  // with the move of its list

    /// Adds a list of games that played a move, best first. None of them ranks above `most`. The
    /// games must live until choose().
    void add(chess::Move move, std::span<const GameId> games, std::uint64_t most);
    void add(chess::Move move, std::span<const codec::NamedGames::Entry> ranked);

    /// Returns at most `most` games, best first. A game in several lists is chosen once, with the
    /// move that has the lowest bits. Calls rank(game) only for games without a known rank. Empties
    /// the lists.
    std::vector<Chosen> choose(std::size_t most, const std::function<std::uint64_t(GameId)>& rank);

  private:
    /// The first remaining game of a list, and the games after it.
    struct Head {
        std::uint64_t rank = 0;
        GameId game = 0;
        std::uint16_t move = 0;
        bool is_ranked = false;  // otherwise `rank` is an upper bound
        std::span<const GameId> rest;
    };
    static bool comes_later(const Head& a, const Head& b);

    std::vector<Head> heads_;
};

/// The named games of a move, with their ranks, best first.
struct RankedLists {
    std::vector<codec::NamedGames::Entry> top;
    std::vector<codec::NamedGames::Entry> recent;
};

/// Adds the lists of a tree, chosen from those of its moves, which are in the order of tree.moves.
void add_lists(std::span<const RankedLists> of_moves, const Engine::TreeLists& lists,
               Engine::Tree& tree);

}  // namespace fendex::store
