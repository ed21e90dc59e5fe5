// The basic types of the rules layer: squares, pieces, bitboards, moves. All are plain values;
// nothing here allocates or throws, and everything may be used from any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fendex::chess {

/// 0 = a1, 1 = b1, ... 63 = h8.
using Square = unsigned;
inline constexpr Square kNoSquare = 64;

constexpr unsigned file_of(Square s) { return s & 7; }
constexpr unsigned rank_of(Square s) { return s >> 3; }
constexpr Square make_square(unsigned file, unsigned rank) { return rank * 8 + file; }

/// One bit per square, bit 0 = a1.
using Bitboard = std::uint64_t;

constexpr Bitboard bit(Square s) { return Bitboard{1} << s; }
constexpr Square lowest(Bitboard b) { return static_cast<Square>(std::countr_zero(b)); }
constexpr Square highest(Bitboard b) { return 63 - static_cast<Square>(std::countl_zero(b)); }
constexpr unsigned count(Bitboard b) { return static_cast<unsigned>(std::popcount(b)); }
constexpr bool more_than_one(Bitboard b) { return (b & (b - 1)) != 0; }
constexpr Bitboard file_mask(unsigned file) { return 0x0101010101010101ULL << file; }
constexpr Bitboard rank_mask(unsigned rank) { return 0xFFULL << (8 * rank); }

/// Removes and returns the lowest square of a set that is not empty.
constexpr Square pop_lowest(Bitboard& b) {
    const Square s = lowest(b);
    b &= b - 1;
    return s;
}

enum class Color : std::uint8_t { kBlack, kWhite };
constexpr Color operator~(Color c) { return c == Color::kWhite ? Color::kBlack : Color::kWhite; }
constexpr unsigned index(Color c) { return static_cast<unsigned>(c); }
constexpr unsigned back_rank(Color c) { return c == Color::kWhite ? 0 : 7; }

enum class PieceType : std::uint8_t { kPawn, kKnight, kBishop, kRook, kQueen, kKing, kNone };
constexpr unsigned index(PieceType t) { return static_cast<unsigned>(t); }

/// Numbered in Polyglot's order (bP wP bN wN ... bK wK), so that the number is the index of the
/// piece's key terms.
enum class Piece : std::uint8_t { kNone = 12 };
constexpr unsigned index(Piece p) { return static_cast<unsigned>(p); }
constexpr Piece make_piece(Color c, PieceType t) {
    return static_cast<Piece>(2 * index(t) + index(c));
}
constexpr PieceType type_of(Piece p) { return static_cast<PieceType>(index(p) >> 1); }
constexpr Color color_of(Piece p) { return static_cast<Color>(index(p) & 1); }
/// The letters of the pieces in FENs, in the order of Piece.
inline constexpr std::string_view kFenLetters = "pPnNbBrRqQkK";

enum class MoveKind : std::uint8_t {
    kNormal,
    kPromoteKnight,  // kPromoteKnight + n promotes to PieceType::kKnight + n
    kPromoteBishop,
    kPromoteRook,
    kPromoteQueen,
    kCastle,  // from = the king's square, to = the rook's square
    kEnPassant,
    kDoublePush,
    kNull,
    kDrop,         // Crazyhouse: from = index(PieceType) of the dropped piece
    kPromoteKing,  // Antichess
};

constexpr unsigned index(MoveKind k) { return static_cast<unsigned>(k); }

/// A move in 16 bits: from (6), to (6), kind (4). Castling is written as king takes own rook, which
/// is unambiguous in Chess960 too. The bits are stored in position groups. Do not change: on disk.
class Move {
  public:
    constexpr Move() = default;
    constexpr Move(Square from, Square to, MoveKind kind = MoveKind::kNormal)
        : bits_(static_cast<std::uint16_t>(from | to << 6 | static_cast<unsigned>(kind) << 12)) {}
    static constexpr Move from_bits(std::uint16_t bits) {
        Move m;
        m.bits_ = bits;
        return m;
    }
    static constexpr Move null() { return {0, 0, MoveKind::kNull}; }

    constexpr Square from() const { return bits_ & 63U; }
    constexpr Square to() const { return bits_ >> 6 & 63U; }
    constexpr MoveKind kind() const { return static_cast<MoveKind>(bits_ >> 12); }
    constexpr std::uint16_t bits() const { return bits_; }
    constexpr bool is_promotion() const {
        return kind() >= MoveKind::kPromoteKnight && kind() <= MoveKind::kPromoteQueen;
    }
    /// The piece promoted to; kNone if the move is not a promotion.
    constexpr PieceType promotion() const {
        return is_promotion() ? static_cast<PieceType>(bits_ >> 12) : PieceType::kNone;
    }
    /// Like promotion(), but kKing for Antichess's promotion to a king.
    constexpr PieceType becomes() const {
        return kind() == MoveKind::kPromoteKing ? PieceType::kKing : promotion();
    }
    static constexpr MoveKind promotion_kind(PieceType t) {
        return static_cast<MoveKind>(index(t));
    }
    constexpr bool operator==(const Move&) const = default;

  private:
    std::uint16_t bits_ = 0xFFFF;  // no move: from(), to(), kind() mean nothing
};

/// The index treats standard chess and Chess960 as one variant: equal positions of the two are the
/// same position. They differ only in how UCI writes castling.
/// Stored numbers. Do not change: on disk.
enum class Variant : std::uint8_t {
    kStandard = 0,
    kChess960 = 1,
    kCrazyhouse = 2,
    kThreeCheck = 3,
    kKingOfTheHill = 4,
    kAtomic = 5,
    kAntichess = 6,  // stalemate wins, as in Giveaway
    kOther = 7,      // unknown rules, or a start that is not a position: kept, but not replayed
    kSuicide = 8,    // Antichess, but stalemate is won by the side with fewer pieces
    kLosers = 9,
    kHorde = 10,
    kRacingKings = 11,
};
inline constexpr unsigned kVariants = 12;

}  // namespace fendex::chess
