// Random games of variants for tests. Seeded, so that failures can be reproduced.
#pragma once

#include <random>
#include <vector>

#include "chess/variant_movegen.hpp"
#include "chess/variant_names.hpp"

namespace fendex::test {

/// The variants that are played on a chess::VariantPosition.
inline std::vector<chess::Variant> variants_to_play() {
    std::vector<chess::Variant> out;
    for (const chess::Variant variant : chess::known_variants()) {
        if (chess::has_variant_rules(variant)) out.push_back(variant);
    }
    return out;
}

/// Returns at most `plies` random moves from the variant's start; some are null moves if `nulls`.
inline std::vector<chess::Move> random_variant_game(chess::Variant variant, std::mt19937_64& random,
                                                    unsigned plies, bool nulls = false) {
    chess::VariantPosition position(variant);
    std::vector<chess::Move> moves;
    while (moves.size() < plies) {
        const std::vector<chess::Move> legal = chess::legal_moves(position);
        if (legal.empty()) break;
        const bool null = nulls && random() % 20 == 0 && !position.in_check();
        moves.push_back(null ? chess::Move::null() : legal[random() % legal.size()]);
        position.play(moves.back());
    }
    return moves;
}

}  // namespace fendex::test
