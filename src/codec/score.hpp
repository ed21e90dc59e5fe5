// What an engine says of a position, in one number.
#pragma once

#include <compare>
#include <cstdint>

#include "chess/types.hpp"

namespace fendex::codec {

/// Centipawns, or moves to mate (negative: Black mates), from White's view.
struct Score {
    bool is_mate = false;
    std::int32_t value = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr, readability-implicit-bool-conversion): clang-tidy 14
    auto operator<=>(const Score&) const = default;
};

/// Returns whether White mates. After a mate, in "mate in 0", the player who moved last has mated.
constexpr bool white_mates(const Score& score, chess::Color moved_last) {
    return score.is_mate &&
           (score.value > 0 || (score.value == 0 && moved_last == chess::Color::kWhite));
}

/// Returns a number that is the greater the better the score is for White. Mates are beyond all
/// centipawns, short ones best for who mates.
constexpr std::int64_t rank_of(const Score& score, chess::Color moved_last) {
    constexpr std::int64_t kMate = std::int64_t{1} << 40;
    if (!score.is_mate) return score.value;
    return white_mates(score, moved_last) ? kMate - score.value : -kMate - score.value;
}

}  // namespace fendex::codec
