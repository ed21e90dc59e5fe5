#include "query/pattern_sequence.hpp"

namespace fendex::query {

namespace {

/// Adds that a pawn of the side, which must be known, stands on the squares to which only a pawn
/// goes.
void add_pawns(const MoveCondition& move, codec::SignatureCondition& condition) {
    if (!move.side || !move.needs_move || move.becomes != 0 ||
        move.movers != MoveCondition::type(chess::PieceType::kPawn)) {
        return;
    }
    chess::Bitboard squares = 0;
    for (const chess::Bitboard end : {move.from, move.to}) {
        if (chess::count(end) == 1) squares |= end;
    }
    for (const chess::Square square : move.route) squares |= chess::bit(square);
    const bool may_explode =
        move.captures_explode &&
        (move.captures != MoveCondition::Captures::kNone || !move.route.empty());
    if (may_explode) squares &= ~(move.route.empty() ? move.to : chess::bit(move.route.back()));
    (*move.side == chess::Color::kWhite ? condition.white_pawns : condition.black_pawns) |=
        squares & codec::followed_pawn_squares(*move.side);
}

}  // namespace

std::vector<codec::SignatureCondition> PatternSequence::conditions() const {
    if (is_position()) return positions_.conditions();
    std::vector<codec::SignatureCondition> out(steps_.front().moves.size());
    for (const PatternStep& step : steps_) {
        const std::vector<codec::SignatureCondition> cases = step.position.conditions();
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i].white_pawns |= cases[i].white_pawns;
            out[i].black_pawns |= cases[i].black_pawns;
            out[i].counts.insert(out[i].counts.end(), cases[i].counts.begin(),
                                 cases[i].counts.end());
            add_pawns(step.moves[i], out[i]);
        }
    }
    return out;
}

}  // namespace fendex::query
