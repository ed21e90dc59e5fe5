#include "store/sqlite/segments/segment_facts.hpp"

namespace fendex::store {

SegmentFacts::SegmentFacts(const GameRange& games, SegmentedWriter& writer) {
    games_.reserve(games.last - games.first + 1);
    for (GameId game = games.first; game <= games.last; ++game) {
        const codec::GameFacts facts = writer.facts(game);
        games_.push_back({facts.date, facts.white_elo, facts.black_elo, facts.result});
    }
}

}  // namespace fendex::store
