// A position of a variant other than standard chess: Crazyhouse, Three-check, King of the Hill,
// Antichess and its kin, Losers, Atomic, Horde, Racing Kings. It shares with Position only
// types.hpp and the attack sets, so that the code for standard chess has no branches for variants.
// Speed comes second here: the key is computed afresh with each move, and a move's legality is
// found by playing it.
//
// The rules are those of the servers where the variants are played (lichess.org/variant; FICS help
// pages "suicide", "losers", "crazyhouse", "atomic").
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>

#include "chess/attacks.hpp"
#include "chess/position.hpp"
#include "chess/types.hpp"
#include "chess/variant_rules.hpp"

namespace fendex::chess {

/// King of the Hill: d4 e4 d5 e5, on which a king wins.
inline constexpr Bitboard kHill = 0x0000001818000000ULL;
/// Three-check: the number of checks that wins.
inline constexpr unsigned kChecksToWin = 3;

/// The contents of a variant's FEN, not yet checked to make sense.
struct VariantSetup : Setup {
    /// Crazyhouse: pieces in hand, by colour and PieceType (pawn to queen).
    std::uint8_t pockets[2][5]{};
    /// Crazyhouse: promoted pieces, which become pawns again when they are captured.
    Bitboard promoted = 0;
    /// Three-check: checks given, by colour.
    std::uint8_t checks[2]{};
};

class VariantPosition {
  public:
    /// Crazyhouse's starting position.
    VariantPosition() : VariantPosition(Variant::kCrazyhouse) {}
    /// The variant's starting position. Not for kStandard, kChess960, kOther.
    explicit VariantPosition(Variant variant);
    VariantPosition(Variant variant, const VariantSetup& setup);

    Variant variant() const { return variant_; }
    const VariantRules& rules() const { return rules_of(variant_); }
    Color side_to_move() const { return side_; }
    Bitboard occupied() const { return color_[0] | color_[1]; }
    Bitboard pieces(Color c) const { return color_[index(c)]; }
    Bitboard pieces(PieceType t) const { return type_[index(t)]; }
    Bitboard pieces(Color c, PieceType t) const { return color_[index(c)] & type_[index(t)]; }
    Piece piece_on(Square s) const { return board_[s]; }
    /// Returns the square of the king; kNoSquare if there is no king, like White's in Horde. If
    /// there are several, as in Antichess, it prefers one on the back rank, which may castle.
    Square king(Color c) const {
        const Bitboard kings = pieces(c, PieceType::kKing);
        const Bitboard at_home = kings & rank_mask(back_rank(c));
        return lowest(at_home != 0 ? at_home : kings);
    }
    Bitboard castling_rooks() const { return castling_; }
    Square en_passant_square() const { return en_passant_; }
    bool en_passant_is_legal() const { return en_passant_legal_; }
    unsigned halfmove_clock() const { return halfmove_; }
    unsigned fullmove_number() const { return fullmove_; }
    unsigned pocket(Color c, PieceType t) const { return pockets_[index(c)][index(t)]; }
    Bitboard promoted() const { return promoted_; }
    unsigned checks_given(Color c) const { return checks_[index(c)]; }
    std::uint64_t key() const { return key_; }

    /// Always false in Antichess, where the king is a piece like others.
    bool in_check() const { return is_attacked_king(side_); }
    /// Returns whether a side's king could be captured now.
    bool is_attacked_king(Color c) const;
    /// True if the variant's own rule has ended the game (a third check, a king on the hill ...);
    /// then there is no legal move.
    bool is_over() const;
    /// Returns whether a pseudo-legal move obeys the variant's rules, except
    /// VariantRules::must_capture.
    bool is_legal(Move m) const;
    /// Plays a legal move, or the null move.
    void play(Move m);

    /// Returns whether the positions are the same by FIDE 9.2, with equal pockets, promoted pieces
    /// and checks given.
    bool same_as(const VariantPosition& other) const;

  private:
    void put(Piece p, Square s);
    void remove(Square s);
    void make(Move m);
    void drop(PieceType type, Square to);
    void castle(Square from, Square rook);
    void move_piece(Move m);
    void capture(Square s);
    void explode(Square centre);
    void forget_lost_rights();
    void settle();
    bool is_attacked(Square s, Color by, Bitboard occupied) const;
    bool castling_is_legal(Move m) const;
    bool has_legal_en_passant() const;
    bool white_has_won_the_race() const;
    std::uint64_t computed_key() const;

    Bitboard color_[2]{};
    Bitboard type_[6]{};
    Piece board_[64];
    Bitboard castling_ = 0;
    Bitboard promoted_ = 0;
    std::uint64_t key_ = 0;
    Square en_passant_ = kNoSquare;
    unsigned halfmove_ = 0;
    unsigned fullmove_ = 1;
    std::uint8_t pockets_[2][5]{};
    std::uint8_t checks_[2]{};
    Variant variant_;
    Color side_ = Color::kWhite;
    bool en_passant_legal_ = false;
};

/// The boards that games are played on. Code that reads and writes moves and FENs is a template
/// over them.
template <typename T>
concept Board = std::same_as<T, Position> || std::same_as<T, VariantPosition>;

}  // namespace fendex::chess
