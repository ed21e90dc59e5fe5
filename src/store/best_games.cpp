#include "store/best_games.hpp"

#include <algorithm>
#include <tuple>

namespace fendex::store {

bool BestGames::comes_later(const Head& a, const Head& b) {
    return std::tie(a.rank, b.game, b.move) < std::tie(b.rank, a.game, a.move);
}

void BestGames::add(chess::Move move, std::span<const GameId> games, std::uint64_t most) {
    if (games.empty()) return;
    heads_.push_back({most, games.front(), move.bits(), false, games.subspan(1)});
}

void BestGames::add(chess::Move move, std::span<const codec::NamedGames::Entry> ranked) {
    for (const auto& entry : ranked) {
        heads_.push_back({entry.rank, entry.game, move.bits(), true, {}});
    }
}

std::vector<BestGames::Chosen> BestGames::choose(std::size_t most,
                                                 const std::function<std::uint64_t(GameId)>& rank) {
    std::vector<Chosen> chosen;
    std::make_heap(heads_.begin(), heads_.end(), comes_later);
    while (!heads_.empty() && chosen.size() < most) {
        std::pop_heap(heads_.begin(), heads_.end(), comes_later);
        Head& head = heads_.back();
        if (!head.is_ranked) {
            head.rank = rank(head.game);
            head.is_ranked = true;
            std::push_heap(heads_.begin(), heads_.end(), comes_later);
            continue;
        }
        const GameId game = head.game;
        if (std::ranges::none_of(chosen, [&](const Chosen& each) { return each.game == game; })) {
            chosen.push_back({game, chess::Move::from_bits(head.move), head.rank});
        }
        if (head.rest.empty()) {
            heads_.pop_back();
        } else {
            // The rank of this game is an upper bound for the next game of the list.
            head.game = head.rest.front();
            head.rest = head.rest.subspan(1);
            head.is_ranked = false;
            std::push_heap(heads_.begin(), heads_.end(), comes_later);
        }
    }
    heads_.clear();
    return chosen;
}

void add_lists(std::span<const RankedLists> of_moves, const Engine::TreeLists& lists,
               Engine::Tree& tree) {
    if (lists.lists == GameLists::kNone) return;
    const auto ranked = [](GameId) { return std::uint64_t{0}; };  // all ranks are known
    BestGames top;
    BestGames recent;
    for (std::size_t i = 0; i < of_moves.size(); ++i) {
        Engine::PlayedMove& move = tree.moves[i];
        top.add(move.next, of_moves[i].top);
        recent.add(move.next, of_moves[i].recent);
        if (!lists.name_games_of(move.next, move.tally)) continue;
        BestGames of_move;
        of_move.add(move.next, of_moves[i].top);
        move.top = of_move.choose(lists.most, ranked);
    }
    tree.top = top.choose(lists.most, ranked);
    tree.recent = recent.choose(lists.most, ranked);
}

}  // namespace fendex::store
