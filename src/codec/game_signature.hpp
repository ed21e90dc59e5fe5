// The signature of a game: what all its positions have in common, in 16 bytes. It can show that a
// pattern does not occur in the game. Least counts and pawn squares are exact bounds, so a game
// that is skipped because of its signature cannot match. Stored in columns, in chunks of
// kGamesPerChunk games.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chess/position.hpp"
#include "chess/variant_position.hpp"
#include "codec/columns.hpp"

namespace fendex::codec {

/// Pieces whose number can change: pawns to queens, of both sides. Numbered like chess::Piece.
inline constexpr unsigned kCountedPieces = 10;
/// How many pieces of each type a side has at the standard start, pawns to queens.
inline constexpr std::uint8_t kStartingSet[5] = {8, 2, 2, 2, 1};

/// The forty squares on which a side's pawns are followed: the five ranks in front of the rank from
/// which they make double steps. A signature says nothing about pawns on other ranks (Horde has
/// pawns on White's first rank).
constexpr chess::Bitboard followed_pawn_squares(chess::Color c) {
    constexpr chess::Bitboard kFortySquares = (chess::Bitboard{1} << 40) - 1;
    return kFortySquares << (c == chess::Color::kWhite ? 16 : 8);
}

struct GameSignature {
    /// A nibble for each counted piece: the least number on the board at any time; 15 means 15 or
    /// more.
    std::uint64_t least = 0;
    /// The squares of followed_pawn_squares() on which pawns ever stood: White's on ranks 3 to 7,
    /// Black's on ranks 2 to 6.
    chess::Bitboard white_pawns = 0;
    chess::Bitboard black_pawns = 0;
    /// [colour]: at some time the side had more pieces of a type than at the standard start, by
    /// promotion or from the beginning.
    bool surplus[2] = {false, false};
    /// False for a game without positions: its rules or its start are unknown.
    bool replayed = false;

    unsigned least_of(unsigned piece) const {
        return static_cast<unsigned>(least >> (4 * piece) & 15U);
    }
    bool operator==(const GameSignature&) const = default;
};

/// Conditions on a position. A signature can show that no position of a game meets them. Plain
/// values, so that any code with signatures can test them.
struct SignatureCondition {
    struct Count {
        unsigned piece = 0;         // less than kCountedPieces
        std::uint64_t allowed = 0;  // bit n is set if n such pieces are allowed
    };

    /// The squares among followed_pawn_squares() with a pawn of the side.
    chess::Bitboard white_pawns = 0;
    chess::Bitboard black_pawns = 0;
    std::vector<Count> counts;

    /// Returns false only if it is certain that no position of the game meets the conditions.
    [[nodiscard]] bool may_hold(const GameSignature& game) const;
};

/// Follows a game and computes its signature. Only captures and pawn moves change a signature, so
/// other moves cost almost nothing.
class SignatureFinder {
  public:
    template <typename Position>
    void start(const Position& position);
    /// Call it with every position after the start, in order.
    void next(const chess::Position& position) {
        if (position.halfmove_clock() == 0) update(position);
    }
    /// Checks every move, because a drop also changes the pieces on the board.
    void next(const chess::VariantPosition& position) { update(position); }
    /// The signature of the game that was started. Before start() it is that of a game without
    /// positions.
    const GameSignature& signature() const { return signature_; }
    void clear() { signature_ = {}; }

  private:
    template <typename Position>
    void update(const Position& position);

    GameSignature signature_;
    unsigned pieces_ = 0;  // number of pieces on the board when they were last counted
    unsigned pawns_ = 0;
};

[[nodiscard]] std::string encode_signatures(std::span<const GameSignature> signatures);

/// Random access to an encoded chunk, without copying.
class SignatureChunk {
  public:
    /// If the bytes are not a chunk, it has no games.
    explicit SignatureChunk(std::string_view bytes);
    std::size_t size() const { return size_; }
    GameSignature operator[](std::size_t i) const;

  private:
    std::string_view bytes_;
    std::size_t size_ = 0;
};

}  // namespace fendex::codec
