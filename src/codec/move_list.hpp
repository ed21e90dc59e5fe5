// The moves of a game, packed: about three quarters of a byte each. A move is coded as the kind of
// piece (a prefix code), which of the pieces of that kind (in square order), and which of the
// squares that piece reaches: nothing is generated but the attack set of the one piece that moves,
// so a game is replayed at tens of millions of plies a second. A move of a variant is coded as its
// place among the legal ones, whose number says in how many bits. Do not change: on disk
// (schema/FORMAT.md).
#pragma once

#include <string_view>

#include "chess/position.hpp"
#include "chess/variant_position.hpp"
#include "codec/bits.hpp"

namespace fendex::codec {

/// Appends the code of a legal move in `position`.
void encode_move(const chess::Position& position, chess::Move move, BitWriter& out);
void encode_move(const chess::VariantPosition& position, chess::Move move, BitWriter& out);

/// Reads a packed move list along a game. The caller knows how many moves there are.
class MoveListReader {
  public:
    explicit MoveListReader(std::string_view bytes) : bits_(bytes) {}

    /// The next move in `position`. False on corruption: what the bytes say is no move there. A
    /// move that is returned can be played (kings stay on the board), though damaged bytes may give
    /// one that leaves a king in check.
    bool next(const chess::Position& position, chess::Move& out);
    /// Of a variant's game: what is returned is legal.
    bool next(const chess::VariantPosition& position, chess::Move& out);

  private:
    BitReader bits_;
};

}  // namespace fendex::codec
