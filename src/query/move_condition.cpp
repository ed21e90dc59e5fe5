#include "query/move_condition.hpp"

namespace fendex::query {

MoveCondition MoveCondition::mirrored() const {
    MoveCondition out = *this;
    if (side) out.side = ~*side;
    out.from = __builtin_bswap64(from);
    out.to = __builtin_bswap64(to);
    for (chess::Square& square : out.route) square ^= 56U;
    return out;
}

}  // namespace fendex::query
