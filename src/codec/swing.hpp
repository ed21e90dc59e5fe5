// What moves lost: the evaluation before a move minus the one after it, from the view of the player
// who moved. The largest loss of each player is the swing of that player in a game. The stored form
// must not change: on disk (schema/FORMAT.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "chess/types.hpp"
#include "codec/score.hpp"

namespace fendex::codec {

/// A score counts as this many centipawns at most, and a mate as exactly so many. So the way from
/// one won position to another costs nothing, and a move into a mate costs what it gave away.
inline constexpr std::int32_t kMostCentipawns = 1000;
inline constexpr std::uint32_t kMostSwing = 2 * kMostCentipawns;

/// Returns what a move of `mover` lost, in centipawns: 0 if the evaluation became better. Empty if
/// one of the evaluations is not known.
[[nodiscard]] std::optional<std::uint32_t> move_loss(const std::optional<Score>& before,
                                                     const std::optional<Score>& after,
                                                     chess::Color mover);

/// The largest loss of each player; empty if that of no move is known.
struct GameSwings {
    std::optional<std::uint32_t> white;
    std::optional<std::uint32_t> black;

    [[nodiscard]] bool is_known() const { return white || black; }
    void add(chess::Color mover, const std::optional<std::uint32_t>& loss);
    bool operator==(const GameSwings&) const = default;
};

/// The evaluation of the position after `ply` plies.
struct PlyScore {
    std::uint32_t ply = 0;
    Score score;
};

/// Returns the swings of a game that began with a move of `first`. The plies ascend; a move has a
/// loss only if the positions before and after it both have a score.
[[nodiscard]] GameSwings swings_of(std::span<const PlyScore> scores, chess::Color first);
/// Adds what a comment after `ply` plies says, unless an earlier one of this ply has said it.
void add_score_of_comment(std::string_view comment, std::uint32_t ply,
                          std::vector<PlyScore>& scores);
/// Returns the evaluations in a stream of AnnotationStreamWriter, without those in variations.
/// Damage ends it.
[[nodiscard]] std::vector<PlyScore> scores_of_annotation(std::string_view stream);

/// The number of these rules (store/sqlite/tables/derived_marks.hpp).
inline constexpr std::uint64_t kSwingRule = 1;

/// The swings of a game in 24 bits, the lower half for White: 0 if unknown, else the swing plus 1.
inline constexpr unsigned kSwingBits = 12;
[[nodiscard]] std::uint32_t code_of_swings(const GameSwings& swings);
/// Returns the code of one player's swing, from the code of both.
constexpr std::uint32_t swing_code_of(std::uint32_t code, chess::Color player) {
    constexpr std::uint32_t kMask = (1U << kSwingBits) - 1;
    return (player == chess::Color::kWhite ? code : code >> kSwingBits) & kMask;
}

}  // namespace fendex::codec
