#include "query/best_games.hpp"

#include <algorithm>
#include <tuple>

namespace fendex::query {

bool BestGames::comes_later(const Head& a, const Head& b) {
    return std::tie(a.rank, b.game, b.move) < std::tie(b.rank, a.game, a.move);
}

void BestGames::add(chess::Move move, std::span<const store::GameId> games, std::uint64_t most) {
    if (games.empty()) return;
    heads_.push_back({most, games.front(), move.bits(), false, games.subspan(1)});
}

void BestGames::add(chess::Move move, const codec::NamedGames& ranked) {
    for (const auto& entry : ranked.entries()) {
        heads_.push_back({entry.rank, entry.game, move.bits(), true, {}});
    }
}

std::vector<BestGames::Chosen> BestGames::choose(
    std::size_t most, const std::function<std::uint64_t(store::GameId)>& rank) {
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
        const store::GameId game = head.game;
        if (std::none_of(chosen.begin(), chosen.end(),
                         [&](const Chosen& each) { return each.game == game; })) {
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

}  // namespace fendex::query
