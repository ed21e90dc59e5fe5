// What every position of a game has in common, in 16 bytes: enough to tell that a pattern can be in
// none of them. Least counts and pawn squares are bounds, never guesses: a game that is skipped for
// its signature cannot match. Stored in columns, in chunks of kGamesPerChunk games.
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

/// Pieces whose number can change: pawns to queens, of both sides. Numbered as chess::Piece.
inline constexpr unsigned kCountedPieces = 10;
/// How many of a type the standard start has, pawns to queen.
inline constexpr std::uint8_t kStartingSet[5] = {8, 2, 2, 2, 1};

/// The squares on which a side's pawns are followed, forty: those before the rank from which they
/// step twice. Behind them (Horde has pawns on White's first rank) nothing is said.
constexpr chess::Bitboard followed_pawn_squares(chess::Color c) {
    constexpr chess::Bitboard kFortySquares = (chess::Bitboard{1} << 40) - 1;
    return kFortySquares << (c == chess::Color::kWhite ? 16 : 8);
}

struct GameSignature {
    /// A nibble for each of the counted pieces: the least number there was; 15 for that or more.
    std::uint64_t least = 0;
    /// Of followed_pawn_squares(), those that pawns ever stood on: White's on ranks 3 to 7, Black's
    /// on ranks 2 to 6.
    chess::Bitboard white_pawns = 0;
    chess::Bitboard black_pawns = 0;
    /// [colour]: the side had more of some type than the standard start has, by promotion or from
    /// the start.
    bool surplus[2] = {false, false};
    /// False for a game that has no positions: its rules or its start are not known.
    bool replayed = false;

    unsigned least_of(unsigned piece) const {
        return static_cast<unsigned>(least >> (4 * piece) & 15U);
    }
    bool operator==(const GameSignature&) const = default;
};

/// What some position of a game must have; a signature can tell that none does. Plain values, so
/// that it can be tested wherever signatures are.
struct SignatureCondition {
    struct Count {
        unsigned piece = 0;         // one of the counted ones
        std::uint64_t allowed = 0;  // bit n: there may be n of it
    };

    /// Of followed_pawn_squares(), those with a pawn of the side.
    chess::Bitboard white_pawns = 0;
    chess::Bitboard black_pawns = 0;
    std::vector<Count> counts;

    /// False if no position of the game meets the condition.
    [[nodiscard]] bool may_hold(const GameSignature& game) const;
};

/// Follows a game and finds its signature. What a signature knows changes with captures and pawn
/// moves only, so other moves cost next to nothing.
class SignatureFinder {
  public:
    template <typename Position>
    void start(const Position& position);
    /// To be shown every position behind the start, in order.
    void next(const chess::Position& position) {
        if (position.halfmove_clock() == 0) update(position);
    }
    /// A drop changes what there is as well.
    void next(const chess::VariantPosition& position) { update(position); }
    /// Of the game that has been started; before any start(), that of a game without positions.
    const GameSignature& signature() const { return signature_; }
    void clear() { signature_ = {}; }

  private:
    template <typename Position>
    void update(const Position& position);

    GameSignature signature_;
    unsigned pieces_ = 0;  // on the board when counts were last taken
    unsigned pawns_ = 0;
};

std::string encode_signatures(std::span<const GameSignature> signatures);

/// Random access into an encoded chunk; copies nothing.
class SignatureChunk {
  public:
    /// valid() is false where the bytes are no chunk.
    explicit SignatureChunk(std::string_view bytes);
    bool valid() const { return valid_; }
    std::size_t size() const { return size_; }
    GameSignature operator[](std::size_t i) const;

  private:
    std::string_view bytes_;
    std::size_t size_ = 0;
    bool valid_ = false;
};

}  // namespace fendex::codec
