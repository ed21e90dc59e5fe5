// The moves of a game, packed: about three quarters of a byte each. A move is coded as the kind of
// piece (a prefix code), which of the pieces of that kind (in square order), and which of the
// squares that piece reaches. Only the attack set of the one moving piece is generated, so a game
// is replayed at tens of millions of plies per second. In a variant, a move is coded as its index
// among the legal moves; their number determines how many bits it takes. Do not change: on disk
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

/// Reads a move in UCI notation and appends its code, if it is legal; except castling. Returns
/// Move{} and appends nothing if it is not, or castling. Takes half the time of chess::read_uci()
/// and encode_move(), because both need the squares that a piece reaches.
chess::Move encode_plain_uci(const chess::Position& position, std::string_view text,
                             BitWriter& out);

/// Reads the packed moves of a game. The caller knows how many moves there are.
class MoveListReader {
  public:
    explicit MoveListReader(std::string_view bytes) : bits_(bytes) {}
    /// Reads moves from the middle of a bit stream.
    explicit MoveListReader(const BitReader& bits) : bits_(bits) {}
    /// The bits after the last move that was read.
    const BitReader& bits() const { return bits_; }

    /// Reads the next move in `position`. False on corruption: the bytes do not stand for a move in
    /// this position. A returned move can be played (kings stay on the board), but damaged bytes
    /// may give a move that leaves the king in check.
    [[nodiscard]] bool next(const chess::Position& position, chess::Move& out);
    /// Reads the next move in a variant. A returned move is always legal.
    [[nodiscard]] bool next(const chess::VariantPosition& position, chess::Move& out);

  private:
    BitReader bits_;
};

}  // namespace fendex::codec
