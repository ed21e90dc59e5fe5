#include "query/move_condition.hpp"

namespace fendex::query {

namespace {

chess::Bitboard upside_down(chess::Bitboard squares) {
    chess::Bitboard out = 0;
    while (squares != 0) out |= chess::bit(chess::pop_lowest(squares) ^ 56U);
    return out;
}

}  // namespace

MoveCondition MoveCondition::mirrored() const {
    MoveCondition out = *this;
    if (side) out.side = ~*side;
    out.from = upside_down(from);
    out.to = upside_down(to);
    for (chess::Square& square : out.route) square ^= 56U;
    return out;
}

}  // namespace fendex::query
