#include "query/ply_evaluations.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "codec/comment_commands.hpp"
#include "query/annotated_plies.hpp"

namespace fendex::query {

PlyEvaluation ply_evaluation(const Verdict& verdict) {
    constexpr double kCentipawns = 100;
    PlyEvaluation out;
    if (verdict.score.is_mate) {
        out.mate = verdict.score.value;
    } else {
        out.pawns = verdict.score.value / kCentipawns;
    }
    out.depth = json::known(verdict.depth);
    return out;
}

void CommentNumbers::clear() {
    plies_.clear();
    next_ = 0;
}

void CommentNumbers::read(store::StoreReader& reader, store::GameId game) {
    clear();
    if (!reader.annotation(game, annotation_)) return;
    for (const AnnotatedPly& each : annotated_plies(game, annotation_)) {
        if (!each.comment) continue;
        const std::string& text = *each.comment;
        plies_.push_back(
            {each.ply,
             codec::clock_seconds(text),
             codec::elapsed_seconds(text),
             {codec::eval_pawns(text), codec::eval_mate(text), codec::eval_depth(text)},
             codec::eval_score(text)});
    }
}

const PlyNumbers& CommentNumbers::at(std::uint32_t ply) {
    static constexpr PlyNumbers kNone;
    while (next_ < plies_.size() && plies_[next_].ply < ply) ++next_;
    return next_ < plies_.size() && plies_[next_].ply == ply ? plies_[next_] : kNone;
}

bool CommentNumbers::has_loss() const {
    return std::adjacent_find(plies_.begin(), plies_.end(),
                              [](const PlyNumbers& a, const PlyNumbers& b) {
                                  return a.score && b.score && a.ply + 1 == b.ply;
                              }) != plies_.end();
}

}  // namespace fendex::query
