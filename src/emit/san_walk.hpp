// SAN along a walk: the check mark is taken from the position that the walk reaches next anyway.
#pragma once

#include <algorithm>

#include "chess/san.hpp"
#include "chess/variant_san.hpp"
#include "codec/game_walk.hpp"

namespace fendex::emit {

/// Writes the SAN of the next move to `out` (at least chess::kMaxSanLength bytes), plays the move,
/// and returns the end of the text.
inline char* write_san_and_advance(codec::GameWalk& walk, char* out) {
    const chess::Move move = walk.next_move();
    out = chess::write_san(walk.position(), move, out);
    walk.advance();
    if (move.kind() == chess::MoveKind::kNull) return out;
    if (const char mark = chess::check_mark(walk.position()); mark != 0) *out++ = mark;
    return out;
}
inline char* write_san_and_advance(codec::VariantWalk& walk, char* out) {
    const std::string san = chess::to_san(walk.position(), walk.next_move());
    walk.advance();
    return std::copy(san.begin(), san.end(), out);
}

}  // namespace fendex::emit
