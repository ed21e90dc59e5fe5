// What the halfmove clock means for repetitions (FIDE 9.2) and for the fifty-move and the
// seventy-five-move rule (FIDE 9.3, 9.6.2), in standard chess and in variants.
#pragma once

#include <cstdint>

#include "chess/position.hpp"
#include "chess/variant_names.hpp"
#include "chess/variant_position.hpp"

namespace fendex::replay {

/// The halfmove clock after fifty, and seventy-five, moves of each side.
inline constexpr std::uint32_t kFiftyMoves = 100;
inline constexpr std::uint32_t kSeventyFiveMoves = 150;

/// Returns how many plies back the same position may have occurred.
inline std::uint32_t reversible_plies(const chess::Position& p) { return p.halfmove_clock(); }
inline std::uint32_t reversible_plies(const chess::VariantPosition& p) {
    // Captured pieces, even pawns, can return as drops.
    return p.rules().drops ? ~std::uint32_t{0} : p.halfmove_clock();
}

inline bool counts_to_fifty(const chess::Position&) { return true; }
inline bool counts_to_fifty(const chess::VariantPosition& p) {
    return chess::has_fifty_move_rule(p.variant());
}

}  // namespace fendex::replay
