// SAN along a walk: the check mark is taken from the position that the walk reaches next anyway.
#pragma once

#include "chess/san.hpp"
#include "codec/game_walk.hpp"

namespace fendex::emit {

/// Writes the SAN of the next move to `out` (at least chess::kMaxSanLength bytes), plays the move,
/// and returns the end of the text.
template <chess::Board B>
char* write_san_and_advance(codec::BasicGameWalk<B>& walk, char* out) {
    const chess::Move move = walk.next_move();
    out = chess::write_san(walk.position(), move, out);
    walk.advance();
    if (move.kind() == chess::MoveKind::kNull) return out;
    if (const char mark = chess::check_mark(walk.position()); mark != 0) *out++ = mark;
    return out;
}

}  // namespace fendex::emit
