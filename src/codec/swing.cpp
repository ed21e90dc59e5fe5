#include "codec/swing.hpp"

#include <algorithm>

#include "codec/annotation.hpp"
#include "codec/comment_commands.hpp"

namespace fendex::codec {

namespace {

/// Returns the centipawns of a score from White's view, after a move of `mover`.
std::int32_t centipawns(const Score& score, chess::Color mover) {
    if (!score.is_mate) return std::clamp(score.value, -kMostCentipawns, kMostCentipawns);
    return white_mates(score, mover) ? kMostCentipawns : -kMostCentipawns;
}

std::uint32_t code_of(const std::optional<std::uint32_t>& swing) { return swing ? *swing + 1 : 0; }

}  // namespace

std::optional<std::uint32_t> move_loss(const std::optional<Score>& before,
                                       const std::optional<Score>& after, chess::Color mover) {
    if (!before || !after) return std::nullopt;
    const std::int32_t loss = centipawns(*before, ~mover) - centipawns(*after, mover);
    return static_cast<std::uint32_t>(std::max(mover == chess::Color::kWhite ? loss : -loss, 0));
}

void GameSwings::add(chess::Color mover, const std::optional<std::uint32_t>& loss) {
    std::optional<std::uint32_t>& swing = mover == chess::Color::kWhite ? white : black;
    swing = std::max(swing, loss);
}

GameSwings swings_of(std::span<const PlyScore> scores, chess::Color first) {
    GameSwings out;
    for (std::size_t i = 1; i < scores.size(); ++i) {
        const PlyScore& before = scores[i - 1];
        const PlyScore& after = scores[i];
        if (after.ply != before.ply + 1) continue;
        const chess::Color mover = before.ply % 2 == 0 ? first : ~first;
        out.add(mover, move_loss(before.score, after.score, mover));
    }
    return out;
}

void add_score_of_comment(std::string_view comment, std::uint32_t ply,
                          std::vector<PlyScore>& scores) {
    if (!scores.empty() && scores.back().ply == ply) return;
    if (const std::optional<Score> score = eval_score(comment)) scores.push_back({ply, *score});
}

std::vector<PlyScore> scores_of_annotation(std::string_view stream) {
    std::vector<PlyScore> out;
    std::uint32_t ply = 0;
    AnnotationStreamReader reader(stream);
    while (reader.next()) {
        if (reader.token() == AnnotationToken::kMove) ++ply;
        if (reader.token() != AnnotationToken::kComment || reader.depth() > 0) continue;
        add_score_of_comment(reader.text(), ply, out);
    }
    return out;
}

std::uint32_t code_of_swings(const GameSwings& swings) {
    return code_of(swings.white) | code_of(swings.black) << kSwingBits;
}

}  // namespace fendex::codec
