#include "store/engine.hpp"

namespace fendex::store {

std::uint32_t rank_of(GameOrder order, const codec::GameFacts& facts) {
    const std::uint32_t white = facts.white_elo;
    const std::uint32_t black = facts.black_elo;
    switch (order) {
        case GameOrder::kDate: return facts.date;
        case GameOrder::kElo: return white != 0 && black != 0 ? white + black : 2 * (white + black);
        case GameOrder::kPlies: return facts.plies;
        case GameOrder::kId: break;
    }
    return 0;
}

}  // namespace fendex::store
