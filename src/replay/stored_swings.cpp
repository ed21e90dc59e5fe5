#include "replay/stored_swings.hpp"

#include <vector>

namespace fendex::replay {

namespace {

chess::Color first_to_move(const store::StoredMoves& moves) {
    // The side to move is the second field of a FEN. Without a FEN, White begins.
    return moves.start.find(" b ") == std::string::npos ? chess::Color::kWhite
                                                        : chess::Color::kBlack;
}

}  // namespace

codec::GameSwings swings_of_stored(const store::StoredMoves& moves, std::string_view annotation) {
    std::vector<codec::PlyScore> scores = codec::scores_of_annotation(annotation);
    std::erase_if(scores,
                  [&](const codec::PlyScore& each) { return each.ply > moves.facts.plies; });
    return codec::swings_of(scores, first_to_move(moves));
}

}  // namespace fendex::replay
