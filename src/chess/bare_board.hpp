// A Position without its key, clocks and board of squares: only what is needed to play the moves of
// a game. For scans that test every position of many games.
#pragma once

#include "chess/position.hpp"

namespace fendex::chess {

class BareBoard {
  public:
    explicit BareBoard(const Position& position)
        : castling_(position.castling_rooks()),
          en_passant_(position.en_passant_square()),
          side_(position.side_to_move()) {
        for (const Color c : {Color::kBlack, Color::kWhite}) color_[index(c)] = position.pieces(c);
        for (unsigned t = 0; t < 6; ++t) type_[t] = position.pieces(static_cast<PieceType>(t));
    }

    Color side_to_move() const { return side_; }
    Bitboard occupied() const { return color_[0] | color_[1]; }
    Bitboard pieces(Color c) const { return color_[index(c)]; }
    Bitboard pieces(PieceType t) const { return type_[index(t)]; }
    Bitboard pieces(Color c, PieceType t) const { return color_[index(c)] & type_[index(t)]; }
    Square king(Color c) const { return lowest(pieces(c, PieceType::kKing)); }
    Bitboard castling_rooks() const { return castling_; }
    Square en_passant_square() const { return en_passant_; }

    /// Plays a legal move of a piece of type `moved`. Returns true if the move is a capture or a
    /// promotion, which change the numbers of pieces.
    bool play(Move m, PieceType moved) {
        const Color us = side_;
        const Bitboard from = bit(m.from());
        const Bitboard to = bit(m.to());
        side_ = ~us;
        en_passant_ = kNoSquare;
        if (m.kind() == MoveKind::kCastle) {
            castle(us, from, to, m.to() > m.from());
            return false;
        }
        if (m.kind() == MoveKind::kNull) return false;
        if (m.kind() == MoveKind::kDoublePush) en_passant_ = m.to() ^ 8U;
        const Bitboard captured =
            m.kind() == MoveKind::kEnPassant ? bit(m.to() ^ 8U) : to & color_[index(~us)];
        color_[index(~us)] &= ~captured;
        color_[index(us)] ^= from | to;
        for (Bitboard& pieces : type_) pieces &= ~captured;
        const PieceType becomes = m.is_promotion() ? m.promotion() : moved;
        type_[index(moved)] ^= from;
        type_[index(becomes)] ^= to;
        castling_ &= ~(from | to);
        if (moved == PieceType::kKing) castling_ &= ~rank_mask(back_rank(us));
        return captured != 0 || m.is_promotion();
    }

  private:
    void castle(Color us, Bitboard king, Bitboard rook, bool short_side) {
        const Bitboard king_to = bit(castled_king(us, short_side));
        const Bitboard rook_to = bit(castled_rook(us, short_side));
        color_[index(us)] = (color_[index(us)] & ~(king | rook)) | king_to | rook_to;
        type_[index(PieceType::kKing)] = (type_[index(PieceType::kKing)] & ~king) | king_to;
        type_[index(PieceType::kRook)] = (type_[index(PieceType::kRook)] & ~rook) | rook_to;
        castling_ &= ~rank_mask(back_rank(us));
    }

    Bitboard color_[2];
    Bitboard type_[6];
    Bitboard castling_;
    Square en_passant_;
    Color side_;
};

}  // namespace fendex::chess
