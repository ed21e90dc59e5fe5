#include "query/variation_cursor.hpp"

#include <algorithm>

#include "query/position_replay.hpp"
#include "replay/variation_walk.hpp"

namespace fendex::query {

namespace {

using store::GameId;

/// The number of games that are listed at once.
constexpr std::size_t kMostGamesListed = 32 * 1024;

/// Collects the nodes that match. The move that was played from a node is known only later, when
/// next() is called.
class NodeMatcher final : public replay::VariationVisitor {
  public:
    NodeMatcher(const Question& question, GameId game, chess::Variant variant)
        : question_(question), game_(game), variant_(variant) {}

    void node(const replay::VariationNode& node) override {
        const auto found = [&](const Question::Target& a) { return matches(a, node.position); };
        if (!std::ranges::any_of(question_.targets, found)) return;
        numbers_.push_back(node.number);
        hits_.push_back({game_, {node.ply}, variant_, node.position, std::nullopt, node.line});
    }
    void next(std::uint32_t node, chess::Move move) override {
        const auto known = std::ranges::lower_bound(numbers_, node);
        if (known == numbers_.end() || *known != node) return;
        hits_[static_cast<std::size_t>(known - numbers_.begin())].next = move;
    }
    std::vector<Hit> take() { return std::move(hits_); }

  private:
    const Question& question_;
    GameId game_;
    chess::Variant variant_;
    std::vector<std::uint32_t> numbers_;  // node numbers of the hits, ascending
    std::vector<Hit> hits_;
};

}  // namespace

std::vector<std::vector<Hit>> PositionSearch::variation_hits(const Question& question,
                                                             std::span<const GameId> games) {
    std::vector<std::vector<Hit>> hits(games.size());
    const auto place_of = [&](GameId game) {
        return static_cast<std::size_t>(std::ranges::find(games, game) - games.begin());
    };
    std::vector<std::optional<store::StoredMoves>> moves(games.size());
    reader_.moves(games, [&](GameId game, const store::StoredMoves& stored) {
        moves[place_of(game)] = stored;
    });
    reader_.annotations(games, [&](GameId game, std::string_view annotation) {
        const std::size_t place = place_of(game);
        if (!moves[place]) return;
        NodeMatcher matcher(question, game, moves[place]->facts.variant);
        replay::walk_variations(game, *moves[place], annotation, true, matcher);
        hits[place] = matcher.take();
    });
    return hits;
}

VariationHitCursor::VariationHitCursor(PositionSearch& search, Question question,
                                       std::stop_token stop)
    : search_(search),
      question_(std::move(question)),
      in_games_(search, question_, stop),
      token_(std::move(stop)),
      stop_(token_) {
    if (!in_games_.next(in_game_.emplace())) in_game_.reset();
}

void VariationHitCursor::list_games() {
    if (!games_.empty() || all_listed_) return;
    games_ = search_.reader_.engine().in_variations(question_.keys(), search_.matcher_.filter(),
                                                    last_listed_, kMostGamesListed, token_);
    all_listed_ = games_.size() < kMostGamesListed;
    if (!games_.empty()) last_listed_ = games_.back();
    std::ranges::reverse(games_);
}

/// Reads the hits in the variations of the first listed games, unless there are some.
void VariationHitCursor::read_games() {
    if (!read_.empty()) return;
    const std::size_t count = std::min(games_.size(), search_.reader_.games_at_once().annotated);
    const std::vector<GameId> games(games_.rbegin(),
                                    games_.rbegin() + static_cast<std::ptrdiff_t>(count));
    read_ = search_.variation_hits(question_, games);
    std::ranges::reverse(read_);
}

bool VariationHitCursor::next(Hit& out) {
    while (in_variations_.empty()) {
        list_games();
        // A game's own hit comes before those in its variations.
        if (in_game_ && (games_.empty() || in_game_->game <= games_.back())) {
            out = std::move(*in_game_);
            if (!in_games_.next(in_game_.emplace())) in_game_.reset();
            return true;
        }
        if (games_.empty()) return false;
        stop_();
        read_games();
        in_variations_ = std::move(read_.back());
        std::ranges::reverse(in_variations_);
        read_.pop_back();
        games_.pop_back();
    }
    out = std::move(in_variations_.back());
    in_variations_.pop_back();
    return true;
}

}  // namespace fendex::query
