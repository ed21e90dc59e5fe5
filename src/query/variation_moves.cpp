#include "query/variation_moves.hpp"

#include <algorithm>

#include "query/position_replay.hpp"
#include "replay/variation_walk.hpp"

namespace fendex::query {

namespace {

using store::GameId;

class MoveCollector final : public replay::VariationVisitor {
  public:
    explicit MoveCollector(const Question::Target& target) : target_(target) {}

    void node(const replay::VariationNode& node) override {
        if (matches(target_, node.before)) ++found.moves[node.move.bits()];
        if (matches(target_, node.position)) ++found.reached;
    }

    VariationMoves found;

  private:
    const Question::Target& target_;
};

}  // namespace

bool VariationReader::is_indexed(GameId game) const {
    return std::ranges::any_of(indexed_, [&](const store::GameRange& range) {
        return range.first <= game && game <= range.last;
    });
}

void VariationReader::read(std::span<const GameId> games, const Question::Target& target,
                           const Visit& visit, base::StopCheck& stop) {
    std::vector<GameId> indexed;
    std::ranges::copy_if(games, std::back_inserter(indexed),
                         [&](GameId game) { return is_indexed(game); });
    const std::size_t at_once = reader_.games_at_once().most;
    for (std::size_t begin = 0; begin < indexed.size(); begin += at_once) {
        stop();
        const auto some =
            std::span(indexed).subspan(begin, std::min(at_once, indexed.size() - begin));
        std::map<GameId, store::StoredMoves> moves;
        reader_.moves(some, [&](GameId game, const store::StoredMoves& stored) {
            moves.emplace(game, stored);
        });
        reader_.annotations(some, [&](GameId game, std::string_view annotation) {
            const auto stored = moves.find(game);
            if (stored == moves.end()) return;
            MoveCollector collector(target);
            replay::walk_variations(game, stored->second, annotation, false, collector);
            if (collector.found.moves.empty() && collector.found.reached == 0) return;
            visit(game, stored->second, collector.found);
        });
    }
}

}  // namespace fendex::query
