#include "query/hit_cursor.hpp"

#include <algorithm>

#include "query/position_replay.hpp"
#include "replay/stored_walk.hpp"

namespace fendex::query {

using store::GameId;

bool replay(std::span<const Question::Target* const> targets, GameId game,
            const store::StoredMoves& moves, std::optional<std::uint32_t> last, bool once,
            Hit& hit) {
    hit.game = game;
    hit.plies.clear();
    hit.line.clear();
    hit.variant = moves.facts.variant;
    replay::with_walk(game, moves, [&](auto& walk) {
        while (true) {
            const auto found = [&](const Question::Target* a) {
                return matches(*a, walk.position());
            };
            if (std::ranges::any_of(targets, found)) {
                if (hit.plies.empty()) {
                    hit.position = walk.position();
                    hit.next = walk.at_end() ? std::nullopt : std::optional(walk.next_move());
                }
                hit.plies.push_back(walk.ply());
            }
            if (walk.at_end() || walk.ply() == last || (once && !hit.plies.empty())) break;
            walk.advance();
        }
    });
    return !hit.plies.empty();
}

HitCursor::HitCursor(PositionSearch& search, Question question, std::stop_token stop, GameId after)
    : search_(search),
      question_(std::move(question)),
      games_(search.reader_.engine().find(question_.keys(), search.matcher_.filter(), after, stop)),
      stop_(std::move(stop)),
      batch_(search.reader_.games_at_once().first),
      most_at_once_(search.reader_.games_at_once().most) {}

bool HitCursor::next(Hit& out) {
    while (next_ == found_) {
        if (failure_) std::rethrow_exception(failure_);
        choose_games();
        if (ids_.empty()) return false;
        replay_games();
    }
    std::swap(out, hits_[next_++]);
    return true;
}

void HitCursor::choose_games() {
    ids_.clear();
    reached_.resize(batch_);
    while (ids_.size() < batch_ && games_->next(reached_[ids_.size()])) {
        stop_();
        ids_.push_back(reached_[ids_.size()].game.game);
    }
    batch_ = std::min(2 * batch_, most_at_once_);
}

/// If a game cannot be replayed, next() returns the hits before it and then throws the failure.
void HitCursor::replay_games() {
    hits_.resize(std::max(hits_.size(), ids_.size()));
    found_ = next_ = 0;
    std::size_t place = 0;
    Targets targets(question_);
    try {
        search_.reader_.moves(ids_, [&](GameId game, const store::StoredMoves& moves) {
            if (game != ids_[place]) store::throw_no_game(ids_[place]);
            const store::Engine::Reached& reached = reached_[place++];
            if (replay(targets.of(reached.targets), game, moves, reached.last_ply, reached.once,
                       hits_[found_])) {
                ++found_;
            }
        });
        if (place != ids_.size()) store::throw_no_game(ids_[place]);
    } catch (...) {
        failure_ = std::current_exception();
    }
}

}  // namespace fendex::query
