#include "store/engine.hpp"

#include "codec/named_games.hpp"

namespace fendex::store {

std::uint32_t rank_of(GameOrder order, const codec::GameFacts& facts) {
    switch (order) {
        case GameOrder::kDate: return facts.date.number();
        case GameOrder::kElo: return static_cast<std::uint32_t>(codec::rank_by_rating(facts));
        case GameOrder::kPlies: return facts.plies;
        case GameOrder::kId: break;
    }
    return 0;
}

}  // namespace fendex::store
