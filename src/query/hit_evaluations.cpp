#include "query/hit_evaluations.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "replay/stored_walk.hpp"

namespace fendex::query {

HitEvaluations::HitEvaluations(store::StoreReader& reader, const ScoreRange& range)
    : reader_(&reader), range_(range), evaluations_(std::span(&reader_, 1)) {}

bool HitEvaluations::keep(Hit& hit) {
    if (!hit.line.empty()) return fits(hit.position, std::nullopt);
    read_scores(hit.game);
    if (!reader_->moves(hit.game, moves_)) store::throw_no_game(hit.game);
    kept_.clear();
    replay::with_walk(hit.game, moves_, [&](auto& walk) {
        for (const std::uint32_t ply : hit.plies) {
            while (walk.ply() < ply && !walk.at_end()) walk.advance();
            const chess::AnyPosition position(walk.position());
            if (!fits(position, score_at(ply))) continue;
            if (kept_.empty()) {
                hit.position = position;
                hit.next = walk.at_end() ? std::nullopt : std::optional(walk.next_move());
            }
            kept_.push_back(ply);
        }
    });
    std::swap(hit.plies, kept_);
    return !hit.plies.empty();
}

bool HitEvaluations::fits(const chess::AnyPosition& position, std::optional<codec::Score> own) {
    if (!own) {
        const std::optional<Verdict> verdict = evaluations_.verdict(position);
        if (!verdict) return false;
        own = verdict->score;
    }
    const std::int64_t rank = codec::rank_of(*own, ~position.side_to_move());
    return rank >= range_.low && rank <= range_.high;
}

void HitEvaluations::read_scores(store::GameId game) {
    scores_.clear();
    if (reader_->annotation(game, annotation_)) scores_ = codec::scores_of_annotation(annotation_);
}

std::optional<codec::Score> HitEvaluations::score_at(std::uint32_t ply) const {
    const auto found = std::ranges::lower_bound(scores_, ply, {}, &codec::PlyScore::ply);
    return found != scores_.end() && found->ply == ply ? std::optional(found->score) : std::nullopt;
}

}  // namespace fendex::query
