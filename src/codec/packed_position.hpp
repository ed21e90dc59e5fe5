// A position in some 17 bytes: everything that identifies it (FIDE 9.2), without clocks. Two
// positions are the same exactly if their bits are equal, so stored positions are compared without
// decoding them. Do not change: on disk (schema/FORMAT.md).
#pragma once

#include <cstdint>

#include "chess/any_position.hpp"
#include "codec/bits.hpp"

namespace fendex::codec {

/// Appends the bits of a position.
void put_position(const chess::AnyPosition& position, BitWriter& out);
void put_position(const chess::Position& position, BitWriter& out);

/// Reads a position. An en passant square is set only if the capture is legal. Returns false if the
/// bits are not those of a position.
[[nodiscard]] bool get_position(BitReader& bits, chess::AnyPosition& out);
/// Skips a position and computes its key, in a fraction of the time of get_position(). Checks less:
/// wrong bits may give a key.
[[nodiscard]] bool get_position_key(BitReader& bits, std::uint64_t& key);

}  // namespace fendex::codec
