// Random positions of all kinds, and random records of them.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "chess/random_play.hpp"
#include "chess/variant_movegen.hpp"
#include "chess/variant_play.hpp"
#include "codec/position_record.hpp"

namespace fendex::test {

inline chess::Position random_position(Random& random, unsigned turn) {
    chess::Position position = any_start(random, turn);
    for (std::uint64_t plies = random() % 60; plies > 0; --plies) {
        const chess::MoveList legal = chess::legal_moves(position);
        if (legal.empty()) break;
        position.play(random_move(legal, random));
    }
    return position;
}

inline chess::VariantPosition random_variant_position(Random& random, unsigned turn) {
    const auto variants = variants_to_play();
    const chess::Variant variant = variants[turn % variants.size()];
    chess::VariantPosition position(variant);
    for (const chess::Move move :
         random_variant_game(variant, random, static_cast<unsigned>(random() % 40), false)) {
        position.play(move);
    }
    return position;
}

/// Returns a position of standard chess or Chess960; every seventh is of a variant.
inline chess::AnyPosition random_any_position(Random& random, unsigned turn) {
    if (turn % 7 == 6) return random_variant_position(random, turn / 7);
    return random_position(random, turn);
}

inline std::vector<chess::Move> random_line(chess::AnyPosition position, std::size_t most,
                                            Random& random) {
    std::vector<chess::Move> line;
    while (line.size() < most) {
        std::vector<chess::Move> legal;
        if (const chess::Position* const standard = position.standard()) {
            const chess::MoveList moves = chess::legal_moves(*standard);
            legal.assign(moves.begin(), moves.end());
        } else {
            legal = chess::legal_moves(*position.of_variant());
        }
        if (legal.empty()) break;
        line.push_back(legal[random() % legal.size()]);
        position.play(line.back());
    }
    return line;
}

inline codec::Evaluation random_evaluation(const chess::AnyPosition& position, std::size_t pvs,
                                           Random& random) {
    codec::Evaluation out;
    out.depth = static_cast<std::uint32_t>(random() % 60);
    out.nodes = random() >> (6 + random() % 58);
    if (random() % 2 != 0) out.nodes -= out.nodes % 1000;
    for (std::size_t i = 0; i < pvs; ++i) {
        codec::Variation& pv = out.pvs.emplace_back();
        pv.score.is_mate = random() % 8 == 0;
        pv.score.value = static_cast<std::int32_t>(random() % 2000) - 1000;
        pv.moves = random_line(position, random() % 12, random);
    }
    return out;
}

inline codec::PositionRecord random_record(const chess::AnyPosition& position, Random& random) {
    codec::PositionRecord out;
    for (std::uint64_t searches = random() % 4; searches > 0; --searches) {
        codec::add_evaluation(random_evaluation(position, 1 + random() % 5, random), out);
    }
    if (random() % 3 == 0) {
        codec::add_operation({"id", "test " + std::to_string(random() % 5)}, out.operations);
        codec::add_operation({"c0", std::string(random() % 30, 'x')}, out.operations);
    }
    return out;
}

}  // namespace fendex::test
